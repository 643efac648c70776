import { expect, it } from 'vitest'
import { rewriteTypeNames } from './typeNames.js'

const marked = (type: string) => rewriteTypeNames(type, (name) => `<${name}>`)

it.each([
  ['Map<string, Event[]>', 'Map<string, <Event>[]>'],
  ['events.Event', '<events>.Event'],
  ['{ id: Id; at?: Time }', '{ id: <Id>; at?: <Time> }'],
  ['Größe | ID_1', '<Größe> | <ID_1>'],
  ['0x1f | 10n | 1e3 | 1.5', '0x1f | 10n | 1e3 | 1.5'],
  [`\`on-\${Name}-off\``, `\`on-\${<Name>}-off\``],
  ['`plain text`', '`plain text`'],
])('names what src/model.ts has to give in %j', (type, names) => {
  expect(marked(type)).toBe(names)
})
