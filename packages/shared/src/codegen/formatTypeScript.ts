/**
 * TypeScript in the style of exported projects. The formatter is loaded when it is first needed:
 * it is large, and the analysis of a drawing does without it.
 *
 * @throws the formatter's error when the text does not parse
 */
export async function formatTypeScript(text: string): Promise<string> {
  const [prettier, typescript, estree] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/typescript'),
    import('prettier/plugins/estree'),
  ])
  return prettier.format(text, {
    parser: 'typescript',
    plugins: [typescript.default ?? typescript, estree.default ?? estree],
    semi: false,
    singleQuote: true,
    printWidth: 100,
  })
}
