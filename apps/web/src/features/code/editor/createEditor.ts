import { completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, type Extension } from '@codemirror/state'
import {
  crosshairCursor,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  type KeyBinding,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'
import type { LanguageClient } from '../language/LanguageClient.js'
import { changeMarks, type Shown, showMarks } from './changeMarks.js'
import { editorTheme } from './editorTheme.js'
import { languageSupport } from './languageSupport.js'
import { meaningMarks, type ProjectNames } from './meaningMarks.js'

export interface EditorOptions {
  readonly path: string
  readonly readOnly: boolean
  /** Null for files that are not TypeScript. */
  readonly language: LanguageClient | null
  readonly names: ProjectNames
  readonly onChange: (text: string) => void
  readonly onCursor: (line: number, column: number) => void
  /** Undo and redo are the project's: one history for the canvas and the code. */
  readonly onUndo: () => void
  readonly onRedo: () => void
}

export interface EditorHandle {
  /** Takes a text that came from elsewhere; only what differs is replaced, so the cursor keeps its place. */
  setText(text: string): void
  setDiagnostics(diagnostics: readonly CodeDiagnostic[]): void
  setMarks(shown: Shown): void
  goTo(line: number): void
  destroy(): void
}

/** Marks a change that came from the project, which is not told of it again. */
const fromProject = Annotation.define<true>()

/** Puts an editor into an element. Callbacks are looked up when they are called, so they may change. */
export function createEditor(parent: HTMLElement, text: string, options: () => EditorOptions): EditorHandle {
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: extensions(options) }) })
  return {
    setText: (next) => replaceText(view, next),
    setDiagnostics: (diagnostics) => view.dispatch(setDiagnostics(view.state, diagnostics.map(clipTo(view)))),
    setMarks: (shown) => showMarks(view, shown),
    goTo: (line) => goTo(view, line),
    destroy: () => view.destroy(),
  }
}

function extensions(options: () => EditorOptions): Extension {
  const { path, readOnly, language, names } = options()
  return [
    lineNumbers(),
    changeMarks,
    highlightActiveLineGutter(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    rectangularSelection(),
    crosshairCursor(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    ...(language === null ? [] : [javascript({ typescript: true }), meaningMarks(names)]),
    ...(language === null || readOnly ? [] : [languageSupport(path, language)]),
    EditorState.readOnly.of(readOnly),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ 'aria-label': `Code of ${path}`, 'aria-readonly': String(readOnly) }),
    keymap.of([
      ...historyKeys(options),
      ...completionKeymap,
      ...searchKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      const isOurs = update.transactions.some((transaction) => transaction.annotation(fromProject))
      if (update.docChanged && !isOurs) options().onChange(update.state.doc.toString())
      if (update.selectionSet || update.docChanged) {
        const { head } = update.state.selection.main
        const line = update.state.doc.lineAt(head)
        options().onCursor(line.number, head - line.from + 1)
      }
    }),
    editorTheme,
  ]
}

function historyKeys(options: () => EditorOptions): readonly KeyBinding[] {
  const undo = () => {
    options().onUndo()
    return true
  }
  const redo = () => {
    options().onRedo()
    return true
  }
  return [
    { key: 'Mod-z', run: undo, preventDefault: true, stopPropagation: true },
    { key: 'Mod-Shift-z', run: redo, preventDefault: true, stopPropagation: true },
    { key: 'Mod-y', run: redo, preventDefault: true, stopPropagation: true },
  ]
}

function replaceText(view: EditorView, next: string): void {
  const current = view.state.doc.toString()
  if (current === next) return
  const limit = Math.min(current.length, next.length)
  let head = 0
  while (head < limit && current[head] === next[head]) head += 1
  let tail = 0
  while (tail < limit - head && current[current.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1
  view.dispatch({
    changes: { from: head, to: current.length - tail, insert: next.slice(head, next.length - tail) },
    annotations: fromProject.of(true),
  })
}

function clipTo(view: EditorView) {
  const { length } = view.state.doc
  return ({ from, to, severity, message }: CodeDiagnostic) => ({
    from: Math.min(from, length),
    to: Math.min(Math.max(to, from), length),
    severity: severity === 'error' ? ('error' as const) : ('warning' as const),
    message,
  })
}

function goTo(view: EditorView, line: number): void {
  const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines)).from
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
  view.focus()
}
