/** Removed and added lines with what they begin with in common cut to an ellipsis, so that the change is seen. */
export function shortDiff(
  removed: readonly string[],
  added: readonly string[],
  room: number,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const [before, after] = [removed[0], added[0]]
  if (removed.length !== 1 || added.length !== 1 || before === undefined || after === undefined)
    return { removed, added }
  if (before.length <= room && after.length <= room) return { removed, added }
  let common = 0
  while (common < before.length && before[common] === after[common]) common++
  const cut = before.lastIndexOf(', ', common)
  if (cut < 4) return { removed, added }
  return { removed: [`…${before.slice(cut)}`], added: [`…${after.slice(cut)}`] }
}
