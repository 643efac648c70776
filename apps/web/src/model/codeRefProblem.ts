/** Words of the language, by which a module of it can declare nothing. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
)

/** Why a text names no module under `src/`; undefined when it does. */
export function moduleProblem(text: string): string | undefined {
  if (text.split('/').includes('..')) return `"${text}" leads out of the folder src: leave ".." out.`
  if (!text.startsWith('./')) return 'A module begins with "./", which is the folder src: ./orders.'
  const bad = /[^A-Za-z0-9_./-]/.exec(text)
  if (bad) return `"${bad[0]}" cannot be in a module's path: use ASCII letters, digits, "/", ".", "_" and "-".`
  const parts = text.slice(2).split('/')
  if (parts.some((part) => part === '' || part === '.')) return `A folder or a file of "${text}" has no name: ./orders.`
  const ending = /\.[cm]?[jt]sx?$/.exec(text)
  return ending ? `A module stands without its ending: leave "${ending[0]}" out.` : undefined
}

/** Why a text is no name of an export; undefined when it is one. */
export function exportProblem(text: string): string | undefined {
  if (text === '') return 'An export needs a name.'
  if (/^\d/.test(text)) return `"${text}" begins with a digit, as no name of TypeScript does.`
  const bad = /[^\w$]/.exec(text)
  if (bad) return `"${bad[0]}" cannot be in an export's name: use ASCII letters, digits, "_" and "$".`
  return RESERVED_WORDS.has(text) ? `"${text}" is a word of the language: no export can be called so.` : undefined
}
