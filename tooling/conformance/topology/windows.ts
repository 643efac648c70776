import { TimeWindows } from '@lanescope/core'
import { call, type JsonObject, onlyFields, UnknownWord } from '../strict.js'
import { timeOf } from '../values.js'
import { entry } from './entry.js'

/** The windows of an aggregation. No grace means the constructor that says so. */
export function windows(json: JsonObject): any {
  const grace = json.grace === undefined ? undefined : timeOf(json.grace)
  switch (json.type) {
    case 'tumbling':
      onlyFields(json, ['type', 'size', 'grace'], 'windows')
      return ofSize(json, grace)
    case 'hopping':
      onlyFields(json, ['type', 'size', 'advance', 'grace'], 'windows')
      return ofSize(json, grace).advanceBy(timeOf(json.advance))
    case 'sliding':
      onlyFields(json, ['type', 'diff', 'grace'], 'windows')
      return withGrace(entry('SlidingWindows'), 'ofTimeDifference', timeOf(json.diff), grace)
    case 'session':
      onlyFields(json, ['type', 'gap', 'grace'], 'windows')
      return withGrace(entry('SessionWindows'), 'ofInactivityGap', timeOf(json.gap), grace)
    case 'unlimited': {
      onlyFields(json, ['type', 'start'], 'windows')
      const all = call(entry('UnlimitedWindows'), 'of')
      return json.start === undefined ? all : call(all, 'startOn', timeOf(json.start))
    }
    default:
      throw new UnknownWord(`Unknown windows "${String(json.type)}".`)
  }
}

function ofSize(json: JsonObject, grace: number | undefined): TimeWindows {
  return withGrace(TimeWindows, 'ofSize', timeOf(json.size), grace)
}

function withGrace(type: any, constructor: string, ms: number, grace: number | undefined): any {
  return grace === undefined
    ? call(type, `${constructor}WithNoGrace`, ms)
    : call(type, `${constructor}AndGrace`, ms, grace)
}

/** The windows of a stream-stream join. */
export function joinWindows(json: JsonObject): any {
  onlyFields(json, ['type', 'diff', 'before', 'after', 'grace', 'of'], 'windows of a join')
  if (json.type !== 'join') throw new UnknownWord(`Unknown windows of a join "${String(json.type)}".`)
  const diff = json.diff === undefined ? 0 : timeOf(json.diff)
  const grace = json.grace === undefined ? undefined : timeOf(json.grace)
  return withSides(json.of === true ? old(diff, grace) : current(diff, grace), json)
}

function old(diff: number, grace: number | undefined): any {
  const made = call(entry('JoinWindows'), 'of', diff)
  return grace === undefined ? made : call(made, 'grace', grace)
}

function current(diff: number, grace: number | undefined): any {
  return withGrace(entry('JoinWindows'), 'ofTimeDifference', diff, grace)
}

/** Overrides each side that is given, the larger first: so one of them may be negative. */
function withSides(made: any, json: JsonObject): any {
  const sides = (['before', 'after'] as const)
    .filter((side) => json[side] !== undefined)
    .map((side) => ({ side, ms: timeOf(json[side]) }))
    .sort((a, b) => b.ms - a.ms)
  return sides.reduce((windows, { side, ms }) => call(windows, side, ms), made)
}
