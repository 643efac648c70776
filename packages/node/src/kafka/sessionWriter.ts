import type { KafkaWriter } from './KafkaWriter.js'
import type { TransactionalWriter } from './TransactionalWriter.js'

/** What an epoch's outputs and positions go through. */
export type SessionWriter =
  | { readonly kind: 'idempotent'; readonly writer: KafkaWriter }
  | { readonly kind: 'transactional'; readonly writer: TransactionalWriter }
