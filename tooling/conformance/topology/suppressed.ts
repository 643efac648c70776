import { call, type JsonObject, onlyFields, UnknownWord } from '../strict.js'
import { timeOf } from '../values.js'
import { entry } from './entry.js'

export function suppressed(json: JsonObject): any {
  onlyFields(json, ['untilWindowCloses', 'untilTimeLimit', 'buffer', 'name'], 'suppressed')
  const config = buffer(json.buffer as JsonObject)
  const type = entry('Suppressed')
  const made =
    json.untilTimeLimit === undefined
      ? call(type, 'untilWindowCloses', config)
      : call(type, 'untilTimeLimit', timeOf(json.untilTimeLimit), config)
  return json.name === undefined ? made : call(made, 'withName', json.name)
}

function buffer(json: JsonObject): any {
  onlyFields(json, ['unbounded', 'maxRecords', 'maxBytes', 'whenFull'], 'the buffer of suppressed')
  const type = entry('BufferConfig')
  return json.unbounded === true ? call(type, 'unbounded') : whenFull(bounded(type, json), json.whenFull)
}

function bounded(type: any, { maxRecords, maxBytes }: JsonObject): any {
  if (maxRecords === undefined) return call(type, 'maxBytes', Number(maxBytes))
  const made = call(type, 'maxRecords', Number(maxRecords))
  return maxBytes === undefined ? made : call(made, 'withMaxBytes', Number(maxBytes))
}

function whenFull(made: any, word: unknown): any {
  if (word === undefined) return made
  if (word === 'emitEarly') return call(made, 'emitEarlyWhenFull')
  if (word === 'shutDown') return call(made, 'shutDownWhenFull')
  throw new UnknownWord(`Unknown whenFull "${String(word)}".`)
}
