/** Why a record was dropped, by the engine's reason (G3), in a few words each. */
const WORDS: { readonly [reason: string]: string } = {
  null_key: 'its key is null',
  null_value: 'its value is null',
  late_window: 'its window had closed',
  late_session: 'its session had closed',
  expired_segment: 'its segment had expired',
  expired_put: 'the store keeps nothing so old any more',
  negative_timestamp: 'it has no usable time',
  deserialization: 'its bytes could not be read',
  processing: 'the code threw an error',
  production: 'it could not be written',
  no_partition: 'it was for a partition that is not there',
  out_of_order: 'the table has a newer row',
  stale_response: 'the left row has changed since',
  future_timestamp: 'it came from the future',
  dropped_null: 'the source leaves out null',
  null_key_after_rekey: 'the new key is null',
  grey_zone: 'it fell between the end of its window and its grace',
  before_unlimited_window: 'it is from before the window begins',
}

/** `late_window` as "its window had closed"; a reason that is not known here stays as it is. */
export function dropReasonWords(reason: string): string {
  return WORDS[reason] ?? reason.replaceAll('_', ' ')
}
