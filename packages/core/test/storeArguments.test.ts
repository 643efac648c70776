import { describe, expect, it } from 'vitest'
import { Consumed, Stores, string, Topology } from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'

const kept = Stores.keyValue('kept', string, string)

const asking = (store: unknown) =>
  new Topology()
    .addSource('s', Consumed.with(string, string), 'in')
    .addProcessor('ask', () => ({ process: (_record, ctx) => void ctx.store(store as typeof kept) }), 's')
    .addStateStore(kept, 'ask')

describe('a store that is asked for in a callback', () => {
  it.each([
    ['kept', '"kept"'],
    [null, 'null'],
  ])('is refused by %j, and told to be asked for by its builder', async (store, shown) => {
    const topic = new TopologyTestDriver(asking(store)).createInputTopic('in', string, string)
    await expect(topic.pipeInput('k', 'v', 1)).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining(`asked for the store ${shown}. Pass the store's builder, not its name`),
      context: expect.objectContaining({ node: 'ask' }),
    })
  })

  it('is given by its builder', async () => {
    const topic = new TopologyTestDriver(asking(kept)).createInputTopic('in', string, string)
    await expect(topic.pipeInput('k', 'v', 1)).resolves.toBeUndefined()
  })
})
