import { HOST_TYPES } from './hostTypes.js'

const standard = import.meta.glob<string>(
  [
    '../../../../../../node_modules/typescript/lib/lib.es{5,2015,2016,2017,2018,2019,2020,2021,2022,2023}*.d.ts',
    '../../../../../../node_modules/typescript/lib/lib.decorators*.d.ts',
    '!**/*.full.d.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

// The build compiles the packages first, so the declarations are those that an exported project will see.
const engine = import.meta.glob<string>('../../../../../../packages/core/{package.json,dist/**/*.d.ts}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Declarations of the language, of the host and of the engine, by the absolute paths of `LanguageFiles`. */
export function bundledLibraries(): ReadonlyMap<string, string> {
  const lib = Object.entries(standard).map(([path, text]) => [path.replace(/^.*\/lib\//, '/lib/'), text] as const)
  const core = Object.entries(engine).map(
    ([path, text]) => [path.replace(/^.*\/packages\/core\//, '/node_modules/@lanescope/core/'), text] as const,
  )
  return new Map([...lib, ...core, ['/host/globals.d.ts', HOST_TYPES] as const])
}
