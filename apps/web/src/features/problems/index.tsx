export function ProblemsTab() {
  return null
}
