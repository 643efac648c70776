import { expect, it } from 'vitest'
import { AccessToken } from './AccessToken.js'

it('is another one each time, and too long to guess', () => {
  const token = new AccessToken()
  expect(token.text).toMatch(/^[A-Za-z0-9_-]{32}$/)
  expect(new AccessToken().text).not.toBe(token.text)
})

it('accepts itself alone', () => {
  const token = new AccessToken('abcd')
  expect(token.accepts('abcd')).toBe(true)
  for (const wrong of ['abce', 'abc', 'abcde', '', null]) expect(token.accepts(wrong)).toBe(false)
})
