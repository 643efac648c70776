import type { TopologyDefinition } from './TopologyDefinition.js'

/**
 * What a piece of a topology is written through: to a definition at once, or to a graph that is optimised first.
 *
 * @internal
 */
export type TopologyWriter = Pick<
  TopologyDefinition,
  | 'addSource'
  | 'addProcessor'
  | 'addUserProcessor'
  | 'addSink'
  | 'addStateStore'
  | 'addGlobalStore'
  | 'connect'
  | 'restoreFrom'
>
