import { describe, expect, it } from 'vitest'
import { readHttpConfig, readLogFormat } from './operationsConfig.js'

describe('how an application is operated', () => {
  it('listens where a port says, on this machine alone unless a host is given', () => {
    expect(readHttpConfig({})).toBeUndefined()
    expect(readHttpConfig({ 'http.host': '0.0.0.0' })).toBeUndefined()
    expect(readHttpConfig({ 'http.port': '8080' })).toEqual({ host: '127.0.0.1', port: 8080 })
    expect(readHttpConfig({ 'http.port': 0, 'http.host': '::' })).toEqual({ host: '::', port: 0 })
    expect(readHttpConfig({ 'http.port': 65_535 })?.port).toBe(65_535)
  })

  it.each([-1, 65_536, 1.5, 'http', ''])('refuses port %j', (port) => {
    expect(() => readHttpConfig({ 'http.port': port })).toThrow(`"http.port" is ${JSON.stringify(port)}: give a port`)
  })

  it('writes text unless asked for json', () => {
    expect([readLogFormat({}), readLogFormat({ 'log.format': 'json' })]).toEqual(['text', 'json'])
    expect(() => readLogFormat({ 'log.format': 'xml' })).toThrow('"log.format" is "xml": give one of text, json')
  })
})
