import { describe, expect, it } from 'vitest'
import type { EngineEvent, EngineEventOf } from './EngineEvent.js'
import { EventHub } from './EventHub.js'

const log = (message: string): EngineEventOf<'log'> => ({ type: 'log', level: 'info', at: 0, message })
const state: EngineEventOf<'state-changed'> = { type: 'state-changed', from: 'created', to: 'starting' }

/** As an emitter does: builds the event only when told that it would be delivered. */
function happen(hub: EventHub, event: EngineEvent): boolean {
  const wanted = hub.listening(event.type)
  if (wanted) hub.emit(event)
  return wanted
}

function listen(hub: EventHub, every?: number) {
  const heard: string[] = []
  const listener = (event: EngineEvent) => heard.push(event.type === 'log' ? event.message : event.type)
  return { heard, end: hub.on(['log', 'state-changed'], listener, every) }
}

describe('EventHub', () => {
  it('says that nobody listens to a type until somebody does, and again when they stop', () => {
    const hub = new EventHub()
    expect(hub.listening('log')).toBe(false)
    const { end } = listen(hub)
    expect(hub.listening('log')).toBe(true)
    expect(hub.listening('error')).toBe(false)
    end()
    expect(hub.listening('log')).toBe(false)
    expect(hub.listening('state-changed')).toBe(false)
  })

  it('delivers only the subscribed types, in order', () => {
    const hub = new EventHub()
    const { heard } = listen(hub)
    happen(hub, log('a'))
    happen(hub, state)
    hub.emit({ type: 'epoch-started', epoch: 1, at: 0 })
    happen(hub, log('b'))
    expect(heard).toEqual(['a', 'state-changed', 'b'])
  })

  it('delivers to every listener, in the order in which they subscribed', () => {
    const hub = new EventHub()
    const heard: number[] = []
    for (const id of [1, 2, 3]) hub.on(['log'], () => heard.push(id))
    hub.emit(log('a'))
    expect(heard).toEqual([1, 2, 3])
  })

  it('ends one subscription without touching another, and may be ended twice', () => {
    const hub = new EventHub()
    const first = listen(hub)
    const second = listen(hub)
    first.end()
    first.end()
    happen(hub, log('a'))
    expect(first.heard).toEqual([])
    expect(second.heard).toEqual(['a'])
  })

  it('delivers one in `every`, and tells the emitter to build only those', () => {
    const hub = new EventHub()
    const { heard } = listen(hub, 3)
    const built = Array.from({ length: 9 }, (_, i) => happen(hub, log(String(i + 1))))
    expect(heard).toEqual(['3', '6', '9'])
    expect(built).toEqual([false, false, true, false, false, true, false, false, true])
  })

  it('samples each type by itself', () => {
    const hub = new EventHub()
    const { heard } = listen(hub, 2)
    happen(hub, log('1'))
    happen(hub, state)
    happen(hub, log('2'))
    expect(heard).toEqual(['2'])
  })

  it('gives a sampling listener its share beside one that takes all', () => {
    const hub = new EventHub()
    const all = listen(hub)
    const some = listen(hub, 2)
    for (const message of ['1', '2', '3', '4']) happen(hub, log(message))
    expect(all.heard).toEqual(['1', '2', '3', '4'])
    expect(some.heard).toEqual(['2', '4'])
  })

  it('still delivers an event under way to a listener that another one ends', () => {
    const hub = new EventHub()
    const heard: string[] = []
    hub.on(['log'], () => end())
    const end = hub.on(['log'], () => heard.push('second'))
    hub.emit(log('a'))
    hub.emit(log('b'))
    expect(heard).toEqual(['second'])
  })
})
