import { describe, expect, it } from 'vitest'
import { configProblem, configText, readConfigText } from './configText.js'

describe('readConfigText', () => {
  it('reads back what configText wrote', () => {
    const config = { 'lanes.count': 8, 'application.id': 'a' }
    expect(readConfigText(configText(config))).toEqual({ ok: true, config })
  })

  it('names the place of a JSON error', () => {
    const read = readConfigText('{\n  "lanes.count": ,\n}')
    expect(read).toMatchObject({ ok: false, problem: { line: 2, column: 18, from: 19, to: 20 } })
  })

  it.each(['[]', 'null', '8'])('refuses %s, which is no object', (text) => {
    expect(readConfigText(text)).toMatchObject({ ok: false, problem: { line: 1, column: 1 } })
  })
})

describe('configProblem', () => {
  it('marks the key that a message quotes', () => {
    const text = '{\n  "lanes.count": 0\n}\n'
    expect(configProblem(text, '"lanes.count" must be an integer of at least 1; got 0.')).toMatchObject({
      line: 2,
      column: 3,
      from: 4,
      to: 17,
    })
  })

  it('marks the start when it quotes none', () => {
    expect(configProblem('{}', 'Wrong.')).toMatchObject({ line: 1, column: 1, from: 0 })
  })
})
