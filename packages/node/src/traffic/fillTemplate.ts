/** The template with `{n}` replaced by the number, in every string of it, at any depth. */
export function fillTemplate(template: unknown, n: number): unknown {
  if (typeof template === 'string') return template.replaceAll('{n}', String(n))
  if (Array.isArray(template)) return template.map((element) => fillTemplate(element, n))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillTemplate(value, n)]))
}
