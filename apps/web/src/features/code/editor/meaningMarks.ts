import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

/** What a hue means on the canvas, it means in code. */
export type Meaning = 'timer' | 'segment' | 'serde'

/** Names of the project beside the engine's own. */
export interface ProjectNames {
  /** Classes of timer processors. */
  readonly timers: ReadonlySet<string>
  /** The user's serdes and deserializers. */
  readonly serdes: ReadonlySet<string>
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const TIMER = words('onTimer timers Timer Timers TimerRegistration TimerTarget TimerDomain')
const SEGMENT = words(
  'TimeWindows SessionWindows SlidingWindows Window Windowed WindowStore ReadOnlyWindowStore windowed windowedBy ' +
    'sessionWindowed ofSizeAndGrace ofSizeWithNoGrace advanceBy withRetention Suppressed untilWindowCloses windowStore ' +
    'milliseconds seconds minutes hours days',
)
const SERDE = words(
  'string long bigint integer short double float boolean byteArray bytes byteBuffer uuid voidSerde json list',
)
const TIMER_DOMAINS = words("'event-time' 'processing-time'")

export interface MeaningRange {
  readonly from: number
  readonly to: number
  readonly meaning: Meaning
}

/** The names between two offsets that stand for timers, windows or serdes, in order. */
export function meaningRanges(state: EditorState, from: number, to: number, names: ProjectNames): MeaningRange[] {
  const ranges: MeaningRange[] = []
  syntaxTree(state).iterate({
    from,
    to,
    enter: (node) => {
      const meaning = meaningOf(node.name, () => state.sliceDoc(node.from, node.to), names)
      if (meaning !== undefined) ranges.push({ from: node.from, to: node.to, meaning })
    },
  })
  return ranges
}

function meaningOf(kind: string, textOf: () => string, names: ProjectNames): Meaning | undefined {
  if (kind === 'String') return TIMER_DOMAINS.has(textOf()) ? 'timer' : undefined
  if (!/^(Variable|Property|Type)(Name|Definition)$/.test(kind)) return undefined
  const text = textOf()
  if (TIMER.has(text) || names.timers.has(text)) return 'timer'
  if (SEGMENT.has(text)) return 'segment'
  // `string` the type is a TypeName; only the value is a serde.
  return kind === 'VariableName' && (SERDE.has(text) || names.serdes.has(text)) ? 'serde' : undefined
}

const MARKS = {
  timer: Decoration.mark({ class: 'code-timer' }),
  segment: Decoration.mark({ class: 'code-segment' }),
  serde: Decoration.mark({ class: 'code-serde' }),
} as const

/** Colours the names in view by what they mean. */
export function meaningMarks(names: ProjectNames): Extension {
  const build = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>()
    for (const { from, to } of view.visibleRanges) {
      for (const range of meaningRanges(view.state, from, to, names)) {
        builder.add(range.from, range.to, MARKS[range.meaning])
      }
    }
    return builder.finish()
  }
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = build(view)
      }
      update(update: ViewUpdate) {
        const parsed = syntaxTree(update.startState) !== syntaxTree(update.state)
        if (update.docChanged || update.viewportChanged || parsed) this.decorations = build(update.view)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  )
}
