const LONGEST = 100
/** Devices to Windows, whatever stands behind a dot. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * Why a project cannot be called so; undefined when it can. Its name is the name of its folder, on any system, and
 * of its application on Kafka.
 */
export function projectNameProblem(name: string): string | undefined {
  if (name === '') return 'A name is needed.'
  const bad = /[^A-Za-z0-9._-]/u.exec(name)
  if (bad) return `"${bad[0]}" cannot be in a name: use ASCII letters, digits, ".", "_" and "-".`
  if (!/^[A-Za-z0-9]/.test(name)) return 'A project’s name begins with a letter or a digit.'
  if (name.endsWith('.')) return 'A project’s name does not end in a dot.'
  if (name.length > LONGEST) return `A project’s name has at most ${LONGEST} characters; this has ${name.length}.`
  if (RESERVED.test(name)) return `"${name}" is the name of a device on Windows and cannot be a folder there.`
  return undefined
}
