import { describe, expect, it } from 'vitest'
import { countProblem, durationProblem, needed } from './durationChecks.js'

describe('a duration that is typed', () => {
  it.each(['', ' ', '0', '5 min', '2 h 30 min', '104249991 d', '9007199254740991', '9007199254740991 ms'])(
    'takes %j',
    (text) => expect(durationProblem(text)).toBeUndefined(),
  )
  it.each([
    ['soon', 'a number and a unit'],
    ['-1 d', 'a number and a unit'],
    ['104249992 d', 'At most 104249991 d'],
    ['99999999999 d', 'At most 104249991 d'],
    ['9007199254740992', 'At most 104249991 d'],
  ])('says why it does not take %j', (text, reason) => expect(durationProblem(text)).toContain(reason))

  it('is needed where nothing will not do, and as long as that', () => {
    expect(needed('', 0)).toContain('a number and a unit')
    expect(needed('59 s', 60_000)).toBe('At least 1 min.')
    expect(needed('1 min', 60_000)).toBeUndefined()
    expect(needed('99999999999 d', 1)).toContain('At most')
  })
})

describe('a count that is typed', () => {
  it.each(['', '1', ' 16 ', '100000', '9007199254740991'])('takes %j', (text) =>
    expect(countProblem(text)).toBeUndefined(),
  )
  it.each([
    ['0', 'above 0'],
    ['-1', 'above 0'],
    ['1.5', 'above 0'],
    ['9007199254740992', 'At most 9007199254740991'],
  ])('says why it does not take %j', (text, reason) => expect(countProblem(text)).toContain(reason))
})
