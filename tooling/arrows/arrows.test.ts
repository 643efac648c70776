import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findViolations, type Rules } from './findViolations.mjs'

const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as Rules & {
  readonly forbidden: readonly { readonly name: string }[]
}

/** A house with one module in each place that the rules speak of, and nothing wrong. */
const HOUSE: Readonly<Record<string, string>> = {
  'packages/core/src/index.ts': "export { run } from './runtime/run.js'\n",
  'packages/core/src/model/key.ts': 'export const key = 1\n',
  'packages/core/src/serde/text.ts': "export { key as text } from '../model/key.js'\n",
  'packages/core/src/state/store.ts': "export { text as store } from '../serde/text.js'\n",
  'packages/core/src/topology/plan.ts': "export { store as plan } from '../state/store.js'\n",
  'packages/core/src/validation/rule.ts': "export { plan as rule } from '../topology/plan.js'\n",
  'packages/core/src/runtime/run.ts': "export { rule as run } from '../validation/rule.js'\n",
  'packages/core/src/testing/index.ts': "export { run as driver } from '../runtime/run.js'\n",
  'packages/node/src/index.ts': "export { run } from '@lanescope/core'\n",
  'packages/node/src/kafka/client.ts': "export { Kafka } from 'kafkajs'\n",
  'packages/shared/src/index.ts': "export { run } from '@lanescope/core'\n",
  'apps/agent/src/main.ts': "import '@lanescope/node'\nimport '@lanescope/shared'\nimport 'node:fs'\n",
  'apps/web/src/store/store.ts': "import 'zustand'\n",
  'apps/web/src/canvas/canvas.ts': "import '@xyflow/react'\n",
  'apps/web/src/app/app.ts': "import '@lanescope/core'\n",
  ...library('kafkajs'),
  ...library('zustand'),
  ...library('@xyflow/react'),
  ...library('left-pad'),
}

function library(name: string) {
  return {
    [`node_modules/${name}/package.json`]: `{"name":"${name}","main":"index.js"}\n`,
    [`node_modules/${name}/index.js`]: 'exports.Kafka = 1\n',
  }
}

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lanescope-arrows-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function rulesBrokenBy(planted: Readonly<Record<string, string>>): Promise<readonly string[]> {
  for (const [path, text] of Object.entries({ ...HOUSE, ...planted })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const { violations } = await findViolations(rules, folder)
  return violations.map((violation) => violation.rule)
}

it('is content with a house in which every arrow points the right way', async () => {
  expect(await rulesBrokenBy({})).toEqual([])
})

it.each([
  ['core: model →', 'packages/core/src/model/up.ts', "import '../serde/text.js'"],
  ['core: serde →', 'packages/core/src/serde/up.ts', "import '../state/store.js'"],
  ['core: state →', 'packages/core/src/state/up.ts', "import '../topology/plan.js'"],
  ['core: topology →', 'packages/core/src/topology/up.ts', "import '../validation/rule.js'"],
  ['core: topology →', 'packages/core/src/topology/typed.ts', "import type { run } from '../runtime/run.js'"],
  ['core: validation →', 'packages/core/src/validation/up.ts', "import '../runtime/run.js'"],
  ['core: runtime →', 'packages/core/src/runtime/up.ts', "import '../testing/index.js'"],
  ['core has no other folders', 'packages/core/src/utils/text.ts', "import '../model/key.js'"],
  ['core runs anywhere: nothing of Node', 'packages/core/src/state/disk.ts', "import 'node:fs'"],
  ['core runs anywhere: nothing of Node', 'packages/core/src/state/disk.ts', "import 'fs'"],
  ['core runs anywhere: no library', 'packages/core/src/model/pad.ts', "import 'left-pad'"],
  ['packages/core → nothing', 'packages/core/src/runtime/host.ts', "import '@lanescope/node'"],
  ['packages/node → packages/core', 'packages/node/src/page.ts', "import '@lanescope/shared'"],
  ['packages/shared → packages/core', 'packages/shared/src/host.ts', "import '@lanescope/node'"],
  ['apps/web → packages/shared', 'apps/web/src/app/host.ts', "import '@lanescope/node'"],
  ['the page and what it shares', 'apps/web/src/app/files.ts', "import 'node:fs'"],
  ['the page and what it shares', 'packages/shared/src/files.ts', "import 'node:path'"],
  ['kafkajs only in', 'packages/node/src/other.ts', "import 'kafkajs'"],
  ['kafkajs only in', 'apps/agent/src/other.ts', "import type { Kafka } from 'kafkajs'"],
  ['@xyflow/react only in', 'apps/web/src/app/flow.ts', "import '@xyflow/react'"],
  ['zustand only in', 'apps/web/src/canvas/state.ts', "import 'zustand'"],
  ['a package is entered by its entries', 'packages/node/src/deep.ts', "import '@lanescope/core/src/model/key.js'"],
  ['a package is entered by its entries', 'packages/node/src/deep.ts', "import '../../core/src/model/key.js'"],
  ['every import is found', 'apps/agent/src/lost.ts', "import './nowhere.js'"],
])('notices a break of "%s…" in %s', async (rule, path, text) => {
  const broken = await rulesBrokenBy({ [path]: `${text}\n` })
  expect(broken.filter((name) => name.startsWith(rule))).toHaveLength(1)
})

it('notices a cycle, and lets types refer to one another', async () => {
  const cycle = (keyword: string) => ({
    'apps/agent/src/one.ts': `${keyword} { two } from './two.js'\nexport const one = 1\n`,
    'apps/agent/src/two.ts': `${keyword} { one } from './one.js'\nexport const two = 2\n`,
  })
  expect(await rulesBrokenBy(cycle('import'))).toContain('no cycles')
  expect(await rulesBrokenBy(cycle('import type'))).toEqual([])
})
