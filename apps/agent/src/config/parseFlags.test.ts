import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FLAG_NAMES, parseFlags } from './parseFlags.js'

const refused = (...args: string[]) => {
  const flags = parseFlags(args, '/home/ada')
  return flags.ask === 'refused' ? flags.message : undefined
}

describe('the command line', () => {
  it('starts on port 4747 with projects in the current folder, a browser and the embedded log', () => {
    expect(parseFlags([], '/home/ada')).toEqual({
      ask: 'start',
      config: { port: 4747, open: true, projectsFolder: '/home/ada/projects', bootstrapServers: undefined },
    })
  })

  it('takes values after a space or an equals sign, the last of a flag winning', () => {
    const args = ['--port', '1', '--port=0', '--no-open', '--dir', 'mine', '--bootstrap-servers=a:9092,[::1]:9093']
    expect(parseFlags(args, '/home/ada')).toEqual({
      ask: 'start',
      config: { port: 0, open: false, projectsFolder: '/home/ada/mine', bootstrapServers: 'a:9092,[::1]:9093' },
    })
  })

  it('answers --help whatever else is asked', () => {
    expect(parseFlags(['--port', '1', '--help'], '/')).toEqual({ ask: 'help' })
  })

  it('refuses what it does not know, quoting it', () => {
    expect(refused('--bogus')).toBe('Unknown flag "--bogus"; --help lists the flags')
    expect(refused('mine')).toContain('"mine"')
    expect(refused('--toString')).toContain('"--toString"')
  })

  it('refuses a flag without its value, and a value where none belongs', () => {
    expect(refused('--port')).toBe('--port needs a value')
    expect(refused('--dir', '--no-open')).toBe('--dir needs a value')
    expect(refused('--dir=')).toBe('--dir needs a value')
    expect(refused('--no-open=yes')).toBe('--no-open takes no value, but got "yes"')
  })

  it.each(['-1', '65536', '80a', '1.5', '100000'])('refuses the port %s', (port) => {
    expect(refused(`--port=${port}`)).toContain(`"${port}"`)
  })

  it('takes the highest port there is', () => {
    expect(refused('--port', '65535')).toBeUndefined()
  })

  it.each(['localhost', 'localhost:', ':9092', 'a:1,,b:2', 'http://a:1'])('refuses the brokers %s', (servers) => {
    expect(refused('--bootstrap-servers', servers)).toContain('host:port')
  })

  it('has words for every flag, and for no other, in its help', () => {
    const help = readFileSync(new URL('../../help.txt', import.meta.url), 'utf8')
    const described = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name)
    expect(described.sort()).toEqual([...FLAG_NAMES].sort())
  })
})
