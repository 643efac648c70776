import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Only ranks of ink: in code, as on the canvas, a hue is kept for what has a meaning. */
const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.self], color: 'var(--ink-3)' },
  { tag: [tags.operator, tags.punctuation, tags.bracket, tags.separator], color: 'var(--ink-3)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.string, tags.number, tags.bool, tags.null, tags.regexp], color: 'var(--ink-2)' },
  { tag: [tags.variableName, tags.propertyName], color: 'var(--ink-2)' },
  { tag: [tags.typeName, tags.className], color: 'var(--ink)' },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.function(tags.definition(tags.variableName)),
      tags.function(tags.definition(tags.propertyName)),
      tags.definition(tags.className),
    ],
    color: 'var(--ink)',
    fontWeight: '500',
  },
  { tag: tags.invalid, color: 'var(--danger)' },
])

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink-2)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px', fontVariantNumeric: 'tabular-nums' },
  '.cm-content': { padding: '8px 0 20px', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 16px 0 10px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '1.5px' },
  '.cm-gutters': { background: 'transparent', border: '0', color: 'var(--ink-3)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 10px 0 8px' },
  '.cm-activeLine': { background: 'color-mix(in oklab, var(--hover) 34%, transparent)' },
  '.cm-activeLineGutter': { background: 'transparent', color: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': {
    background: 'var(--flow-soft) !important',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    background: 'var(--hover)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-searchMatch': { background: 'var(--serde-soft)', outline: '1px solid var(--serde-line)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px dotted var(--danger)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dotted var(--caution)' },
  '.cm-lint-marker': { width: '8px', height: '8px' },
  '.cm-panels': { background: 'var(--raised)', color: 'var(--ink)', border: '0' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield': { background: 'var(--sunken)', border: '1px solid var(--line-strong)', borderRadius: '4px' },
  '.cm-button': {
    background: 'none',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    color: 'var(--ink)',
  },
})

/** What floats over the text: completions, descriptions, messages. */
const floats = EditorView.theme({
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-2)',
    boxShadow: 'var(--shadow-2)',
    maxWidth: '560px',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '220px' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 10px 2px 6px', lineHeight: '18px', color: 'var(--ink-2)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--hover)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--ink)', fontWeight: '600' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--ink-3)', marginLeft: '14px' },
  '.cm-completionIcon': { color: 'var(--ink-3)', opacity: '1', fontSize: '90%' },
  '.cm-tooltip.cm-completionInfo': { padding: '0' },
  '.cm-diagnostic': { padding: '6px 10px', border: '0', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { boxShadow: 'inset 3px 0 0 var(--danger)' },
  '.cm-diagnostic-warning': { boxShadow: 'inset 3px 0 0 var(--caution)' },
})

/** The editor in the app's clothes. All colours are tokens, so both themes come for free. */
export const editorTheme: Extension = [look, floats, syntaxHighlighting(highlight)]
