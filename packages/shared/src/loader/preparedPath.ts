/** Where Node finds a module that was written for it. `.mjs`, so that it is one whatever the nearest package.json says. */
export function preparedPath(path: string): string {
  return path.replace(/\.[jt]s$/, '.mjs')
}
