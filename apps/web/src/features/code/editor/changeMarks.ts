import { type Extension, type Range, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter, WidgetType } from '@codemirror/view'
import { type LineChange, lineDiff } from './lineDiff.js'

/** What a read-only text shows beside itself: the older text it is held against, and the lines of the selected node. */
export interface Shown {
  readonly older: string | null
  readonly lines: { readonly from: number; readonly to: number } | null
}

const NOTHING: Shown = { older: null, lines: null }
const show = StateEffect.define<Shown>()

class RemovedLine extends WidgetType {
  constructor(readonly text: string) {
    super()
  }
  override eq(other: RemovedLine) {
    return other.text === this.text
  }
  override toDOM() {
    const line = document.createElement('div')
    line.className = 'code-removed'
    const text = document.createElement('del')
    text.textContent = this.text.trimStart()
    line.append(this.text.slice(0, this.text.length - this.text.trimStart().length), text)
    return line
  }
}

class AddedSign extends GutterMarker {
  override toDOM() {
    return document.createTextNode('+')
  }
}
class RemovedSign extends GutterMarker {
  override toDOM() {
    const sign = document.createElement('span')
    sign.className = 'code-removed-sign'
    sign.textContent = '−'
    return sign
  }
}
const ADDED = new AddedSign()
const REMOVED = new RemovedSign()

const addedLine = Decoration.line({ class: 'code-added' })
const changedText = Decoration.mark({ class: 'code-changed' })
const nodeLine = Decoration.line({ class: 'code-node-line' })

const shown = StateField.define<{ readonly value: Shown; readonly decorations: DecorationSet }>({
  create: () => ({ value: NOTHING, decorations: Decoration.none }),
  update: (before, transaction) => {
    const told = transaction.effects.find((effect) => effect.is(show))
    const value = told === undefined ? before.value : (told.value as Shown)
    if (value === before.value && !transaction.docChanged) return before
    return { value, decorations: decorate(value, transaction.newDoc) }
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
})

function decorate({ older, lines }: Shown, doc: Text): DecorationSet {
  const ranges: Range<Decoration>[] = changesOf(older, doc).flatMap((change) => decorationsOf(change, doc))
  if (lines !== null) {
    for (let line = lines.from; line <= Math.min(lines.to, doc.lines); line += 1) {
      ranges.push(nodeLine.range(doc.line(line).from))
    }
  }
  return Decoration.set(ranges, true)
}

function changesOf(older: string | null, doc: Text): readonly LineChange[] {
  return older === null ? [] : lineDiff(older, doc.toString())
}

function decorationsOf(change: LineChange, doc: Text): Range<Decoration>[] {
  if (change.kind === 'removed') {
    const isAtEnd = change.before > doc.lines
    const at = isAtEnd ? doc.length : doc.line(change.before).from
    const widget = new RemovedLine(change.text)
    return [Decoration.widget({ widget, block: true, side: isAtEnd ? 1 : -1 }).range(at)]
  }
  const { from } = doc.line(change.line)
  const ranges = [addedLine.range(from)]
  if (change.from < change.to) ranges.push(changedText.range(from + change.from, from + change.to))
  return ranges
}

const signs = gutter({
  class: 'code-signs',
  markers: (view) => {
    const { value } = view.state.field(shown)
    const { doc } = view.state
    const added = changesOf(value.older, doc).filter((change) => change.kind === 'added')
    return RangeSet.of(
      added.map((change) => ADDED.range(doc.line(change.line).from)),
      true,
    )
  },
  widgetMarker: (_view, widget) => (widget instanceof RemovedLine ? REMOVED : null),
  initialSpacer: () => ADDED,
})

/** Marks of what changed and of the selected node. */
export const changeMarks: Extension = [shown, signs]

/** Tells the marks what to show; scrolls the selected node's lines into view when they are new. */
export function showMarks(view: EditorView, value: Shown): void {
  const before = view.state.field(shown).value
  const effects: StateEffect<unknown>[] = [show.of(value)]
  const isMoved = value.lines !== null && value.lines.from !== before.lines?.from
  if (isMoved && value.lines.from <= view.state.doc.lines) {
    effects.push(EditorView.scrollIntoView(view.state.doc.line(value.lines.from).from, { y: 'center' }))
  }
  view.dispatch({ effects })
}
