/** A relative specifier's path under `src/`; `..` above the root stays, and so matches nothing. */
export function joinSpecifier(specifier: string, from: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The files that a relative specifier may mean, the likeliest first: `./a` and `./a.js` are both `a.ts`. */
export function candidatePaths(specifier: string, from: string): readonly string[] {
  const path = joinSpecifier(specifier, from)
  const stem = path.replace(/\.js$/, '')
  return [...new Set([`${stem}.ts`, path, `${path}.js`, `${path}/index.ts`])]
}

/** The file that a code reference of the document names: `./sessionize` is `sessionize.ts`. */
export function fileOfModule(module: string): string {
  return `${joinSpecifier(module, '')}.ts`
}
