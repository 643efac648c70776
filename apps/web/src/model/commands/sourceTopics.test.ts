import { expect, it } from 'vitest'
import { aDocument, aSource } from '../fixtures.js'
import { setTopics } from './sourceTopics.js'

const named = (name: string, before: readonly string[], topics: readonly string[]) => {
  const source = aSource('s') as Extract<ReturnType<typeof aSource>, { kind: 'source' }>
  const node = { ...source, name, properties: { ...source.properties, topics: [...before] } }
  const changed = setTopics(aDocument([node, aSource('orders')]), 's', topics).nodes[0]
  return [changed?.name, changed?.kind === 'source' && changed.properties.topics]
}

it.each([
  ['a source that nobody has named', 'source-2', [], ['clicks', 'views'], 'clicks'],
  ['a table that nobody has named', 'table', [], ['users'], 'users'],
  ['a name that is the topic, while it is typed', 'click', ['click'], ['clicks'], 'clicks'],
  ['a topic by whose name another node goes', 'source', [], ['orders'], 'orders-2'],
])('names by its topic %s', (_, name, before, topics, wanted) => {
  expect(named(name, before, topics)).toEqual([wanted, topics])
})

it.each([
  ['a name of people’s own', 'my-source', [], ['clicks']],
  ['one that has no topic any more', 'clicks', ['clicks'], []],
  ['one whose topic cannot be a name', 'source', [], ['a b']],
])('keeps %s', (_, name, before, topics) => {
  expect(named(name, before, topics)).toEqual([name, topics])
})
