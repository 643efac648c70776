import { SystemClock } from '@lanescope/core'
import { afterAll, beforeAll, describe } from 'vitest'
import { recordLogContract } from '../../core/test/recordLogContract.js'
import { openLog } from '../src/index.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'

const reason = whyNoBroker()

describe.skipIf(reason !== undefined)(`On a real broker${reason === undefined ? '' : ` (${reason})`}`, () => {
  let broker: KafkaBroker
  const clock = new SystemClock()
  const open = () =>
    openLog({ 'bootstrap.servers': broker.bootstrap, 'client.id': 'contract' }, { clock, report: console.log })
  beforeAll(async () => {
    broker = await startKafkaBroker()
  }, 60_000)
  afterAll(() => broker?.stop(), 30_000)

  recordLogContract('Kafka', async () => {
    let log = await open()
    return {
      log,
      reopen: async () => {
        await log.close()
        log = await open()
        return log
      },
      end: () => log.close(),
    }
  })
})
