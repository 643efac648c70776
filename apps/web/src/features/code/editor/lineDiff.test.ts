import { describe, expect, it } from 'vitest'
import { lineDiff } from './lineDiff.js'

const text = (...lines: string[]) => lines.join('\n')

describe('lineDiff', () => {
  it('finds nothing in equal texts', () => {
    expect(lineDiff('a\nb', 'a\nb')).toEqual([])
  })

  it('pairs a changed line with what it was, and names the columns that changed', () => {
    expect(lineDiff(text('a', 'f(x, 1)', 'c'), text('a', 'f(yy, 1)', 'c'))).toEqual([
      { kind: 'removed', before: 2, text: 'f(x, 1)' },
      { kind: 'added', line: 2, from: 2, to: 4 },
    ])
  })

  it('marks an added line as a whole', () => {
    expect(lineDiff(text('a', 'c'), text('a', 'bb', 'c'))).toEqual([{ kind: 'added', line: 2, from: 0, to: 2 }])
  })

  it('puts a removed line above the line that follows it, also at the end', () => {
    expect(lineDiff(text('a', 'b', 'c'), text('a', 'c'))).toEqual([{ kind: 'removed', before: 2, text: 'b' }])
    expect(lineDiff(text('a', 'b'), text('a'))).toEqual([{ kind: 'removed', before: 2, text: 'b' }])
  })

  it('keeps what lies between two changes', () => {
    const changes = lineDiff(text('a', 'b', 'c', 'd', 'e'), text('A', 'b', 'c', 'd', 'E'))
    expect(changes.map((change) => (change.kind === 'added' ? change.line : change.text))).toEqual(['a', 1, 'e', 5])
  })

  it('sees a moved line as one removed and one added', () => {
    expect(lineDiff(text('a', 'b', 'c'), text('b', 'c', 'a'))).toEqual([
      { kind: 'removed', before: 1, text: 'a' },
      { kind: 'added', line: 3, from: 0, to: 1 },
    ])
  })

  it('marks what is new and not what a formatter only moved to another line', () => {
    const older = "f('a', old, 'b')"
    const newer = text('f(', "  'a',", '  fresh(old),', "  'b',", ')')
    const marked = lineDiff(older, newer).flatMap((change) =>
      change.kind === 'added' ? newer.split('\n')[change.line - 1]!.slice(change.from, change.to) : [],
    )
    expect(marked).toEqual(['', '', 'fresh(old),', '', ''])
  })

  it('marks a change within a line also where the same text stands elsewhere in it', () => {
    expect(lineDiff('f(5, 8)', 'f(8, 8)')).toContainEqual({ kind: 'added', line: 1, from: 2, to: 3 })
  })

  it('leaves blanks at the ends of a change unmarked', () => {
    expect(lineDiff('{ b }', '{ a, b }')).toContainEqual({ kind: 'added', line: 1, from: 2, to: 4 })
  })

  it('does not let the common ends of a line overlap', () => {
    expect(lineDiff('xx', 'xxyx')).toEqual([
      { kind: 'removed', before: 1, text: 'xx' },
      { kind: 'added', line: 1, from: 2, to: 4 },
    ])
  })
})
