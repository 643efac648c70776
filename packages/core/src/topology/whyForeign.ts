/** Keys of Kafka Streams that mean nothing here, and why: each is refused, so that nobody counts on it. */
const foreign: { readonly [key: string]: string } = {
  'replication.factor':
    'topics for changelogs are made with the default of the brokers: set default.replication.factor there',
  'num.standby.replicas': 'one instance of an application runs at a time, and a start restores from the changelogs',
  'cache.max.bytes.buffering': 'the engine has no record cache and sends every update',
  'buffered.records.per.partition': 'reading pauses by lanes: lanes.queue-capacity',
  'input.buffer.max.bytes': 'reading pauses by lanes: lanes.queue-capacity',
  'acceptable.recovery.lag': 'one instance of an application runs at a time, so nothing is assigned',
  'max.warmup.replicas': 'one instance of an application runs at a time, so nothing is assigned',
  'probing.rebalance.interval.ms': 'one instance of an application runs at a time, so nothing is assigned',
  'rack.aware.assignment.strategy': 'one instance of an application runs at a time, so nothing is assigned',
  'task.assignor.class': 'one instance of an application runs at a time, so nothing is assigned',
  'group.protocol': 'one instance reads all partitions, so nothing is rebalanced',
  'application.server': 'there are no interactive queries over several instances',
  'upgrade.from': 'there is no older protocol between instances',
  'rocksdb.config.setter':
    'stores are no RocksDB: state.dir and state.cache.max.bytes say where they are and what stays in memory',
  'built.in.metrics.version': 'there is one form of metrics: app.metrics()',
  'enable.metrics.push': 'metrics are read from app.metrics() or at http.port',
  'metric.reporters': 'metrics are read from app.metrics() or at http.port',
  'poll.ms': 'reading waits by itself until there is something',
  'task.timeout.ms': 'what is retriable is tried again by itself',
  'repartition.purge.interval.ms': 'there are no repartition topics: records cross in memory',
  'window.size.ms': 'windowed serdes know their window: windowed(serde, size)',
  'windowed.inner.class.serde': 'windowed serdes know their inner serde: windowed(serde, size)',
  'windowstore.changelog.additional.retention.ms':
    'changelogs of windows keep what the engine needs, and it deletes the rest itself',
  'log.summary.interval.ms': 'progress is told by app.snapshot() and app.metrics()',
  'default.dsl.store': 'it is called dsl.store.suppliers.class here, as in Kafka Streams since 3.7',
  'default.production.exception.handler':
    'it is called production.exception.handler here, as in Kafka Streams since 4.0',
}

/** Why a key of Kafka Streams is not needed here; undefined for any other. */
export function whyForeign(key: string): string | undefined {
  if (key.startsWith('topic.')) return 'settings of a changelog go to its store: withLoggingEnabled({ … })'
  if (/^(main|restore|global)\.consumer\./.test(key) || key.startsWith('admin.'))
    return 'one client is used for all: client.…, consumer.…, producer.…'
  return Object.hasOwn(foreign, key) ? foreign[key] : undefined
}
