/** A failed case for people: its file, and for each difference where it is, what was expected, and what came. */
export function explain({ file, differences }) {
  const parts = differences.map(
    ({ where, expected, actual }) => `  ${where}\n    expected ${text(expected)}\n    actual   ${text(actual)}`,
  )
  return `✗ ${file}\n${parts.join('\n')}`
}

/** A line a group: how many passed and failed, and the names of those that failed. */
export function summarise(reports) {
  const groups = new Map()
  for (const { file, differences } of reports) {
    const group = file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
    const { passed, failed } = groups.get(group) ?? { passed: 0, failed: 0 }
    groups.set(group, differences.length === 0 ? { passed: passed + 1, failed } : { passed, failed: failed + 1 })
  }
  return [...groups]
    .map(
      ([group, { passed, failed }]) =>
        `${group.padEnd(16)}${`${passed}`.padStart(4)} passed ${`${failed}`.padStart(4)} failed`,
    )
    .join('\n')
}

function text(value) {
  if (typeof value === 'string') return value.includes('\n') ? `\n${value.replace(/^/gm, '      ')}` : value
  return JSON.stringify(value)
}
