import { describe, expect, it } from 'vitest'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { Consumed } from './Consumed.js'

const unquote = { id: 'unquote', deserialize: () => 'k0' }

describe('Consumed', () => {
  it('[A1] counts deserializers as reading only, a full serde among them', () => {
    const consumed = Consumed.deserializers(unquote, json())
    expect([consumed.key.form, consumed.value.form]).toEqual(['deserializer', 'deserializer'])
    expect(Consumed.deserializers(undefined, unquote).key.form).toBe('default')
  })

  it('[A1] reads values by a deserializer without giving up the declared key', () => {
    const consumed = Consumed.with(string, undefined).withMaxAhead(5).withValueDeserializer(unquote)
    expect(consumed.key).toEqual({ form: 'serde', serde: string })
    expect(consumed.value).toEqual({ form: 'deserializer', deserializer: unquote })
    expect(consumed.options.maxAheadMs).toBe(5)
  })

  it('[G3] keeps nulls unless told to drop them, in either form', () => {
    expect(Consumed.with(string, long).options.nulls).toBe('keep')
    expect(Consumed.with(string, long, { nulls: 'drop' }).options.nulls).toBe('drop')
    expect(Consumed.deserializers(unquote, long).options.nulls).toBe('keep')
    expect(Consumed.deserializers(unquote, long, { nulls: 'drop' }).options.nulls).toBe('drop')
  })
})
