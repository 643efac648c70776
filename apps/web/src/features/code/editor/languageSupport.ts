import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view'
import type { LanguageClient } from '../language/LanguageClient.js'
import type { CompletionDetail, CompletionEntry } from '../language/protocol.js'

/** Completion and descriptions from the language worker, for one file. */
export function languageSupport(path: string, language: LanguageClient): Extension {
  return [
    closeBrackets(),
    autocompletion({ override: [(context) => complete(context, path, language)], icons: true, maxRenderedOptions: 60 }),
    hoverTooltip((view, at) => describe(view, at, path, language), { hoverTime: 350 }),
  ]
}

async function complete(
  context: CompletionContext,
  path: string,
  language: LanguageClient,
): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$]*/)
  const from = word?.from ?? context.pos
  const before = context.state.sliceDoc(from - 1, from)
  // Nothing is offered out of the blue: after a dot, in a string, or once a word has begun.
  const isAsked = context.explicit || from < context.pos || /[.'"]/.test(before)
  if (!isAsked) return null
  const found = await language.ask({ type: 'complete', path, offset: context.pos })
  if (found === null || context.aborted) return null
  return {
    from,
    options: found.entries.map((entry) => toCompletion(entry, path, context.pos, language)),
    validFor: /^[\w$]*$/,
  }
}

function toCompletion(entry: CompletionEntry, path: string, offset: number, language: LanguageClient): Completion {
  const detail = () => language.ask({ type: 'detail', path, offset, entry })
  return {
    label: entry.name,
    type: ICONS[entry.kind] ?? 'variable',
    // TypeScript sorts by text: local names before members of outer scopes before what needs an import.
    boost: 30 - Number.parseInt(entry.sortText, 10) || 0,
    ...(entry.source === undefined ? {} : { detail: entry.source }),
    info: async () => {
      const told = await detail()
      return told === null ? null : infoCard(told.signature, told.documentation)
    },
    apply: (view, completion, from, to) => {
      insert(view, completion, entry, from, to)
      // Without its import the name is an error that the editor shows; nothing more is to be said here.
      if (entry.source !== undefined) detail().then((told) => addImport(view, told), reportFailure)
    },
  }
}

function reportFailure(error: unknown): void {
  console.warn('The language service failed.', error)
}

function insert(view: EditorView, completion: Completion, entry: CompletionEntry, from: number, to: number): void {
  const text = entry.insertText ?? entry.name
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
  })
}

/** The import comes a moment later; it stands above the cursor, so that moves along. */
function addImport(view: EditorView, detail: CompletionDetail | null): void {
  if (detail === null || detail.edits.length === 0) return
  view.dispatch({
    changes: detail.edits.map(({ from, to, insert }) => ({ from, to, insert })),
    userEvent: 'input.complete',
  })
}

async function describe(view: EditorView, at: number, path: string, language: LanguageClient): Promise<Tooltip | null> {
  const found = await language.ask({ type: 'describe', path, offset: at })
  if (found === null || found.to > view.state.doc.length) return null
  return {
    pos: found.from,
    end: found.to,
    above: true,
    create: () => ({ dom: infoCard(found.signature, found.documentation) }),
  }
}

function infoCard(signature: string, documentation: string): HTMLElement {
  const card = document.createElement('div')
  card.className = 'code-info'
  const code = document.createElement('code')
  code.textContent = signature
  card.append(code)
  if (documentation !== '') {
    const text = document.createElement('p')
    text.textContent = documentation
    card.append(text)
  }
  return card
}

/** TypeScript's kinds as the completion list's icons. */
const ICONS: { readonly [kind: string]: string } = {
  method: 'method',
  function: 'function',
  'local function': 'function',
  property: 'property',
  getter: 'property',
  class: 'class',
  interface: 'interface',
  type: 'type',
  alias: 'variable',
  const: 'constant',
  enum: 'enum',
  keyword: 'keyword',
  string: 'text',
  module: 'namespace',
}
