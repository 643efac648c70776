export { type TestInputOptions, TestInputTopic, type TestRecord } from './TestInputTopic.js'
export { TestOutputTopic } from './TestOutputTopic.js'
export { type RawRecord, type TestDriverOptions, TopologyTestDriver } from './TopologyTestDriver.js'
