import { describe, expect, it } from 'vitest'
import { projectNameProblem } from './projectName.js'

describe('the name of a project', () => {
  it.each(['a', 'daily-counts', '5m.views', 'A_b', 'console', 'con1', 'com', 'nul-2', 'x'.repeat(100)])(
    'may be %s',
    (name) => {
      expect(projectNameProblem(name)).toBeUndefined()
    },
  )

  it.each([
    ['', 'is needed'],
    ['two words', '" " cannot be in a name'],
    ['a/b', '"/"'],
    ['naïve', '"ï"'],
    ['a😀', '"😀"'],
    ['.git', 'begins with'],
    ['..', 'begins with'],
    ['-a', 'begins with'],
    ['a.', 'end in a dot'],
    ['x'.repeat(101), 'this has 101'],
    ['CON', 'device'],
    ['nul.txt', 'device'],
    ['Com1', 'device'],
    ['lpt9.a', 'device'],
  ])('may not be %j', (name, why) => {
    expect(projectNameProblem(name)).toContain(why)
  })
})
