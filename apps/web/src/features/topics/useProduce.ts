import { useCallback, useState } from 'react'
import { useServices } from '../../app/services.js'
import { RequestError } from '../../client/AgentClient.js'
import type { ProduceRequest } from '../../live/runActions.js'

export type Sent =
  | { readonly state: 'idle' }
  | { readonly state: 'sending' }
  | {
      readonly state: 'sent'
      readonly topic: string
      readonly partition: number
      readonly offset: number
      readonly timestamp: number
    }
  | { readonly state: 'refused'; readonly message: string }

/** Where a record was written. */
export interface Written {
  readonly partition: number
  readonly offset: number
}

/** Sends one record and tells where it went, or why not. */
export function useProduce(): readonly [Sent, (record: ProduceRequest) => Promise<Written | null>] {
  const { run } = useServices()
  const [sent, setSent] = useState<Sent>({ state: 'idle' })
  const send = useCallback(
    async (record: ProduceRequest) => {
      setSent({ state: 'sending' })
      try {
        const at = await run.produce(record)
        setSent({ state: 'sent', topic: record.topic, timestamp: record.timestamp, ...at })
        return at
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        setSent({ state: 'refused', message: error.error.message })
        return null
      }
    },
    [run],
  )
  return [sent, send]
}
