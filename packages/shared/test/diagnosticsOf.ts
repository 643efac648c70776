import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What the compiler says about an exported project's own files; the packages are taken from their sources. */
export function diagnosticsOf(project: string): string[] {
  const { config } = ts.readConfigFile(join(project, 'tsconfig.test.json'), ts.sys.readFile)
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, project)
  const { rootDir: _, ...rest } = parsed.options
  const paths = {
    '@lanescope/core': [join(root, 'packages/core/src/index.ts')],
    '@lanescope/core/testing': [join(root, 'packages/core/src/testing/index.ts')],
    '@lanescope/node': [join(root, 'packages/node/src/index.ts')],
  }
  const typeRoots = [join(root, 'node_modules/@types')]
  const program = ts.createProgram(parsed.fileNames, { ...rest, noEmit: true, paths, typeRoots })
  return parsed.fileNames
    .flatMap((file) => {
      const source = program.getSourceFile(file)
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    })
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}
