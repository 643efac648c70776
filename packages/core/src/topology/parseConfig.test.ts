import { describe, expect, it } from 'vitest'
import { StreamError } from '../errors/StreamError.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { parseConfig } from './parseConfig.js'

function problems(input: Record<string, unknown>): string {
  try {
    parseConfig(input)
  } catch (error) {
    expect(error).toBeInstanceOf(StreamError)
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', kind: 'user', retriable: false })
    return (error as StreamError).message
  }
  throw new Error('It was not refused.')
}

it("takes Kafka Streams' newer name of the deserialization handler, which counts when both are given", () => {
  const given = { 'default.deserialization.exception.handler': 'fail', 'deserialization.exception.handler': 'continue' }
  const config = parseConfig(given)
  expect(config['default.deserialization.exception.handler']).toBe('continue')
  expect(config['deserialization.exception.handler']).toBeUndefined()
})

it('takes a timestamp extractor, and nothing that only looks like one', () => {
  const extractor = { id: 'mine', extract: () => 5 }
  expect(parseConfig({ 'default.timestamp.extractor': extractor })['default.timestamp.extractor']).toBe(extractor)
  for (const wrong of ['mine', { extract: () => 5 }, { id: 'mine' }, null]) {
    expect(() => parseConfig({ 'default.timestamp.extractor': wrong })).toThrow(/must be a timestamp extractor/)
  }
})

describe('defaults', () => {
  it('fills in every key', () => {
    expect(parseConfig({})).toEqual({
      'application.id': 'lanescope',
      'default.key.serde': undefined,
      'default.value.serde': undefined,
      'default.timestamp.extractor': undefined,
      'lanes.count': undefined,
      'num.stream.threads': undefined,
      'boundary.split': 'lazy',
      'lanes.queue-capacity': 300,
      'processing.guarantee': 'exactly-once',
      'time.mode': 'watermark',
      'time.idle-after-ms': 300_000,
      'time.max-out-of-orderness-ms': 10_000,
      'time.watermark-interval-ms': 200,
      'max.task.idle.ms': 0,
      'timer.lane-affinity.guard': 'error',
      'timer.lane-affinity.sampled-check': 'warn',
      'timers.backend': 'hybrid',
      'timers.serde-change': 'refuse',
      'source.offset-gap': 'refuse',
      'metadata.max.age.ms': 300_000,
      'state.format-change': 'refuse',
      'topology.validation.timer-key-lane-affinity': 'warn',
      'topology.validation.future-timestamp': 'warn',
      'topology.validation.missing-serde': 'error',
      'topology.validation.conflicting-serdes': 'warn',
      'topology.validation.source-key-bytes': 'error',
      'topology.validation.order-after-async-rekey': 'hint',
      'topology.validation.explicit-naming': 'hint',
      'topology.validation.duplicate-source': 'error',
      'topology.validation.unreachable-node': 'warn',
      'topology.validation.dangling-sink': 'warn',
      'topology.validation.topic-loop': 'warn',
      'topology.validation.co-partitioning': 'error',
      'topology.validation.retention-too-small': 'warn',
      'topology.validation.suppress-without-grace': 'warn',
      'topology.validation.default-grace': 'warn',
      'topology.validation.state-format-change': 'warn',
      'future-timestamp.max-ahead-ms': 3_600_000,
      'future-timestamp.guard': 'reject',
      'future-timestamp.check': 'warn',
      'errors.dead.letter.queue.topic.name': undefined,
      'errors.dead.letter.extra-headers': false,
      'default.deserialization.exception.handler': 'fail',
      'deserialization.exception.handler': undefined,
      'processing.exception.handler': 'fail',
      'processing.exception.handler.global.enabled': false,
      'production.exception.handler': 'fail',
      'commit.interval.ms': undefined,
      'statestore.cache.max.bytes': 0,
      'epoch.max-records': 10_000,
      'epoch.max-bytes': 67_108_864,
      'epoch.cut-timeout-ms': 60_000,
      'watchdog.slow-callback-ms': 10_000,
      'shutdown.timeout-ms': 25_000,
      'topology.optimization': [],
      'ensure.explicit.internal.resource.naming': false,
      'processor.wrapper': undefined,
      'dsl.store.suppliers.class': 'persistent',
      'dsl.store.format': 'default',
      compat: 'repair',
      'compat.on-window-close-loss': undefined,
      'compat.overlapping-sessions': undefined,
      'compat.double-final-result': undefined,
      'compat.repartition-key-serde': undefined,
      'compat.windowed-default-serde': undefined,
      'compat.clock-restart': undefined,
    })
  })

  it('takes undefined as not given, and changes nothing of its input', () => {
    const input = Object.freeze({ 'lanes.queue-capacity': undefined, compat: 'kafka-streams' })
    expect(parseConfig(input)).toMatchObject({ 'lanes.queue-capacity': 300, compat: 'kafka-streams' })
  })
})

describe('values', () => {
  const accepted: [string, unknown, unknown][] = [
    ['processing.guarantee', 'exactly_once_v2', 'exactly-once'],
    ['processing.guarantee', 'at_least_once', 'at-least-once'],
    ['processing.guarantee', 'at-least-once', 'at-least-once'],
    ['time.mode', 'stream-time', 'stream-time'],
    ['lanes.count', 1, 1],
    ['lanes.count', '8', 8],
    ['max.task.idle.ms', -1, -1],
    ['time.idle-after-ms', 0, 0],
    ['future-timestamp.guard', 'warn', 'warn'],
    ['future-timestamp.guard', 'reject', 'reject'],
    ['timer.lane-affinity.guard', 'off', 'off'],
    ['timers.backend', 'heap', 'heap'],
    ['timers.backend', 'persistent', 'persistent'],
    ['timers.serde-change', 'strand', 'strand'],
    ['timers.serde-change', 'migrate', 'migrate'],
    ['errors.dead.letter.extra-headers', 'true', true],
    ['errors.dead.letter.extra-headers', 'false', false],
    ['errors.dead.letter.queue.topic.name', 'dlq', 'dlq'],
    ['processing.exception.handler', 'continue', 'continue'],
    ['default.key.serde', 'long', long],
    ['default.value.serde', json(), json()],
  ]
  it.each(accepted)('reads %s = %s', (key, value, expected) => {
    expect(parseConfig({ [key]: value })).toHaveProperty([key], expected)
  })

  const refused: [string, unknown, string][] = [
    ['lanes.count', 0, 'an integer of at least 1; got 0.'],
    ['lanes.count', 2.5, 'an integer of at least 1; got 2.5.'],
    ['lanes.count', 'many', 'an integer of at least 1; got "many".'],
    ['max.task.idle.ms', -2, 'an integer of at least -1; got -2.'],
    ['time.idle-after-ms', -1, 'an integer of at least 0; got -1.'],
    ['commit.interval.ms', 0, 'an integer of at least 1; got 0.'],
    ['epoch.max-bytes', 0, 'an integer of at least 1; got 0.'],
    ['timer.lane-affinity.guard', 'reject', 'one of off, warn, error; got "reject".'],
    ['future-timestamp.guard', 'fail', 'one of off, warn, reject, error; got "fail".'],
    ['processing.guarantee', 'toString', 'got "toString".'],
    ['production.exception.handler', 'drop', 'one of continue, fail, retry; got "drop".'],
    ['processing.exception.handler', 'retry', 'one of continue, fail; got "retry".'],
    ['errors.dead.letter.extra-headers', 1, 'true or false; got 1.'],
    ['timers.backend', 'disk', 'one of heap, persistent, hybrid; got "disk".'],
    ['timers.serde-change', 'off', 'one of refuse, strand, migrate; got "off".'],
    ['application.id', 'a b', 'a name of letters'],
    ['application.id', '..', 'a name of letters'],
    ['default.key.serde', 'strings', 'a serde, or one of string, long'],
    ['default.key.serde', { id: 'x' }, 'got an object.'],
  ]
  it.each(refused)('refuses %s = %s', (key, value, message) => {
    const text = problems({ [key]: value })
    expect(text).toContain(`"${key}" must be `)
    expect(text).toContain(message)
  })
})

describe('[L5] num.stream.threads is another name of lanes.count', () => {
  it('sets it alone', () => expect(parseConfig({ 'num.stream.threads': 4 })['lanes.count']).toBe(4))
  it('may agree with it', () =>
    expect(parseConfig({ 'num.stream.threads': '4', 'lanes.count': 4 })['lanes.count']).toBe(4))
  it('is refused when the two differ', () => {
    expect(problems({ 'num.stream.threads': 4, 'lanes.count': 8 })).toContain(
      '"lanes.count" is 8 and "num.stream.threads", its alias, is 4.',
    )
  })
  it('is refused when it is no number of lanes', () => {
    expect(problems({ 'num.stream.threads': 0 })).toContain('"num.stream.threads" must be an integer of at least 1')
  })
})

describe('unknown keys', () => {
  it('are refused with the nearest known one', () => {
    expect(problems({ 'lane.count': 8 })).toContain(
      '"lane.count" is not a configuration key. Did you mean "lanes.count"?',
    )
    expect(problems({ 'num.stream.thread': 8 })).toContain('Did you mean "num.stream.threads"?')
  })

  it.each([
    ['replication.factor', 'default of the brokers'],
    ['num.standby.replicas', 'one instance'],
    ['cache.max.bytes.buffering', 'no record cache'],
    ['topic.retention.ms', 'withLoggingEnabled'],
    ['main.consumer.max.poll.records', 'one client'],
  ])('of Kafka Streams are told to be not needed: %s', (key, why) => {
    const told = problems({ [key]: 1 })
    expect(told).toContain(`"${key}" is a key of Kafka Streams that is not needed here: `)
    expect(told).toContain(why)
    expect(told).not.toContain('Did you mean')
  })

  it('are far from a name when a quarter of their letters are wrong, and two may always be', () => {
    expect(problems({ 'commit.interval.mxyzw': 8 })).toContain('Did you mean "commit.interval.ms"?')
    expect(problems({ 'commit.intervalxyzwvu': 8 })).not.toContain('Did you mean')
    expect(problems({ cxmpxt: 'repair' })).toContain('Did you mean "compat"?')
    expect(problems({ cxmpxx: 'repair' })).not.toContain('Did you mean')
  })

  it('get no suggestion when nothing is near', () => {
    expect(problems({ zzz: 8 })).toContain('"zzz" is not a configuration key. Remove it, or correct its name.')
  })

  it.each([
    'bootstrap.servers',
    'client.id',
    'security.protocol',
    'sasl.mechanism',
    'ssl.ca',
    'auto.offset.reset',
    'embedded.dir',
    'state.dir',
    'http.port',
    'log.format',
    'metrics.port',
    'consumer.group.id',
    'producer.acks',
  ])('pass unread when the host reads them: %s', (key) => {
    expect(parseConfig({ [key]: 1 })).not.toHaveProperty([key])
  })
})

it('reports all problems at once', () => {
  const text = problems({ 'lanes.count': 0, 'lane.count': 8, 'time.mode': 'wall', 'default.key.serde': string })
  expect(text).toContain('The configuration has 3 problems:')
  expect(text.match(/^- /gm)).toHaveLength(3)
})
