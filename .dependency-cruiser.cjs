/*
 * The arrows of ARCHITECTURE.md, as rules. `node tooling/arrows/check.mjs` runs them over every source file, and
 * tooling/arrows/arrows.test.ts shows that each of them notices what it forbids.
 */

/** Which workspaces a workspace's sources may import. */
const PACKAGES = {
  'packages/core': [],
  'packages/node': ['packages/core'],
  'packages/shared': ['packages/core'],
  'apps/agent': ['packages/shared', 'packages/node', 'packages/core'],
  'apps/web': ['packages/shared', 'packages/core'],
}

/** Which of its own folders a folder of packages/core/src may import. */
const MODEL = ['model', 'errors', 'time']
const STATE = ['state', 'lanes', 'serde', 'events', ...MODEL]
const PROCESSOR = ['processor', 'timers', ...STATE]
const CORE = {
  model: MODEL,
  errors: MODEL,
  time: MODEL,
  serde: MODEL,
  events: MODEL,
  lanes: ['serde', 'events', ...MODEL],
  state: STATE,
  timers: ['timers', ...STATE],
  processor: PROCESSOR,
  topology: ['topology', ...PROCESSOR],
  dsl: ['topology', ...PROCESSOR],
  validation: ['topology', ...PROCESSOR],
  runtime: ['validation', 'topology', ...PROCESSOR],
  testing: ['runtime', 'validation', 'topology', ...PROCESSOR],
  simulation: ['runtime', 'validation', 'topology', ...PROCESSOR],
}

/** Libraries that one folder alone may know, so that they can be replaced there. */
const ONE_IMPORTER = {
  kafkajs: 'packages/node/src/kafka/',
  '@xyflow/react': 'apps/web/src/canvas/',
  zustand: 'apps/web/src/store/',
}

const ENTRIES = ['packages/core/src/(testing/|simulation/)?index', 'packages/(node|shared)/src/index']

const any = (paths) => `(${paths.join('|')})`

const packageRules = Object.entries(PACKAGES).map(([from, allowed]) => ({
  name: `${from} → ${allowed.join(', ') || 'nothing of the workspace'}`,
  severity: 'error',
  from: { path: `^${from}/src/` },
  to: { path: '^(packages|apps|e2e|tooling|examples)/', pathNot: `^${any([from, ...allowed])}/` },
}))

const coreRules = Object.entries(CORE).map(([from, allowed]) => ({
  name: `core: ${from} → ${allowed.filter((to) => to !== from).join(', ')}`,
  severity: 'error',
  from: { path: `^packages/core/src/${from}/` },
  to: { path: '^packages/core/src/', pathNot: `^packages/core/src/${any([from, ...allowed])}/` },
}))

const importerRules = Object.entries(ONE_IMPORTER).map(([library, folder]) => ({
  name: `${library} only in ${folder}`,
  severity: 'error',
  from: { pathNot: `^${folder}` },
  to: { path: `(^|/)node_modules/${library}/` },
}))

module.exports = {
  forbidden: [
    ...packageRules,
    ...coreRules,
    ...importerRules,
    {
      name: 'core has no other folders than the arrows name',
      severity: 'error',
      from: { path: `^packages/core/src/(?!${any(Object.keys(CORE))}/)[^/]+/` },
      to: {},
    },
    {
      name: 'core runs anywhere: nothing of Node',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core runs anywhere: no library but its ordered map and its reader of cron',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: { path: 'node_modules/', pathNot: 'node_modules/(sorted-btree|croner)/' },
    },
    {
      name: 'the page and what it shares with the agent know nothing of Node',
      severity: 'error',
      from: { path: '^(apps/web|packages/shared)/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'a package is entered by its entries',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/src/' },
      to: { path: '^packages/[^/]+/', pathNot: ['^packages/$2/', `^${any(ENTRIES)}\\.ts$`] },
    },
    {
      // Types may refer to one another. In the DSL a stream gives a table and a table gives a stream, by design: each
      // uses the other in a method only, so it does not matter which of them is loaded first.
      name: 'no cycles',
      severity: 'error',
      from: { pathNot: '^packages/core/src/dsl/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'every import is found', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(\\.test(-d)?\\.tsx?$|^(packages|apps)/[^/]+/(test|dist)/|/fixtures/|\\.css(\\?|$))' },
  },
}
