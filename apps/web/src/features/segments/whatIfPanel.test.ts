import { expect, it } from 'vitest'
import { isWrong } from './WhatIfPanel.js'

it.each(['', 'soon', '2036-11-30 25:00 o', '2036-02-31'])('holds the verdict back while %j is typed', (draft) =>
  expect(isWrong(draft)).toBe(true),
)

it.each([null, '2036-11-30 12:00', '1700000000000'])('keeps the verdict while %j is typed', (draft) =>
  expect(isWrong(draft)).toBe(false),
)
