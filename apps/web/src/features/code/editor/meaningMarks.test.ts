import { javascript } from '@codemirror/lang-javascript'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { meaningRanges } from './meaningMarks.js'

const NAMES = { timers: new Set(['Sessionize']), serdes: new Set(['unquoteKey']) }

function meanings(doc: string) {
  const created = EditorState.create({ doc, extensions: javascript({ typescript: true }) })
  // By itself it parses for some milliseconds only, and a busy machine does not come to the end in them.
  ensureSyntaxTree(created, doc.length, Number.POSITIVE_INFINITY)
  const { state } = created.update({})
  return meaningRanges(state, 0, doc.length, NAMES).map(({ from, to, meaning }) => `${meaning} ${doc.slice(from, to)}`)
}

describe('meaningRanges', () => {
  it('tells the serde string from the type string', () => {
    expect(meanings('const a: string = f(string)')).toEqual(['serde string'])
  })

  it('finds timers: their methods, domains and the project’s timer processors', () => {
    expect(meanings("new Sessionize(); ctx.timers.register({ domain: 'event-time' })")).toEqual([
      'timer Sessionize',
      'timer timers',
      "timer 'event-time'",
    ])
    expect(meanings('class A { onTimer() {} }')).toEqual(['timer onTimer'])
  })

  it('finds windows and durations', () => {
    expect(meanings('TimeWindows.ofSizeAndGrace(minutes(5))')).toEqual([
      'segment TimeWindows',
      'segment ofSizeAndGrace',
      'segment minutes',
    ])
  })

  it('finds the project’s own serdes', () => {
    expect(meanings('use(unquoteKey, json())')).toEqual(['serde unquoteKey', 'serde json'])
  })

  it('leaves strings, comments and fields alone', () => {
    expect(meanings("// TimeWindows\nconst a = { string: 'json' }\na.json")).toEqual([])
  })
})
