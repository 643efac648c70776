import { describe, expect, it } from 'vitest'
import { EDIT_COMMANDS } from './editCommands.js'
import { type KeyPress, keyText, matches } from './keys.js'
import { PROJECT_COMMANDS } from './projectCommands.js'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
})

describe('matches', () => {
  it.each([
    ['Mod+Z', press('z', { ctrlKey: true }), true],
    ['Mod+Z', press('z', { metaKey: true }), true],
    ['Mod+Z', press('Z', { ctrlKey: true, shiftKey: true }), false],
    ['Mod+Z', press('z'), false],
    ['Mod+Shift+Z', press('Z', { ctrlKey: true, shiftKey: true }), true],
    ['N', press('n'), true],
    ['N', press('n', { ctrlKey: true }), false],
    ['N', press('n', { altKey: true }), false],
    ['?', press('?', { shiftKey: true }), true],
    ['?', press('?'), true],
    ['Shift+Alt+T', press('ˇ', { code: 'KeyT', shiftKey: true, altKey: true }), true],
    ['Shift+Alt+T', press('t', { altKey: true }), false],
    ['Mod+.', press('.', { ctrlKey: true }), true],
    ['F2', press('F2'), true],
    ['Shift+F8', press('F8', { shiftKey: true }), true],
    ['F8', press('F8', { shiftKey: true }), false],
    ['Mod+ArrowLeft', press('ArrowLeft', { ctrlKey: true }), true],
    ['ArrowLeft', press('ArrowLeft', { ctrlKey: true }), false],
  ])('%s for %o: %s', (chord, pressed, expected) => expect(matches(chord, pressed)).toBe(expected))
})

describe('keyText', () => {
  it('prints keys as they stand on the keyboard', () => {
    expect(keyText('Mod+Shift+Z', false)).toBe('Ctrl Shift Z')
    expect(keyText('Mod+ArrowLeft', true)).toBe('Cmd ←')
    expect(keyText('Delete', false)).toBe('Del')
  })
})

describe('the command table', () => {
  const commands = [...EDIT_COMMANDS, ...PROJECT_COMMANDS]

  it('has each id once', () => {
    expect(new Set(commands.map((command) => command.id)).size).toBe(commands.length)
  })

  it('gives no key to two commands', () => {
    const keys = commands.flatMap((command) => command.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
