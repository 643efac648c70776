import type { ResolvedSerde } from '../topology/CompiledTopology.js'

/** The id of the serde whose bytes pick the lane: behind windows, the inner one's (T3). */
export function laneSerdeId({ windowed, label, serde }: ResolvedSerde): string {
  return windowed === true || serde === undefined ? label : serde.id
}
