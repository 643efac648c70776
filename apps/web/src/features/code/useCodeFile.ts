import { useMemo, useState } from 'react'
import type { CodeDiagnostic } from '../../model/CodeDiagnostic.js'
import { editFile } from '../../model/commands/files.js'
import { useFindings, useProject, useStores } from '../../store/context.js'
import { CONFIG, GENERATED, STORES } from './files/codeFiles.js'
import { configProblem, configText, readConfigText } from './files/configText.js'
import type { GeneratedText } from './useGeneratedText.js'

export interface OpenFile {
  readonly text: string
  readonly readOnly: boolean
  readonly diagnostics: readonly CodeDiagnostic[]
  readonly onChange: (text: string) => void
}

const NONE: readonly CodeDiagnostic[] = []

/** The text of the open file, what is wrong with it, and where its edits go. */
export function useCodeFile(path: string, generated: GeneratedText | null): OpenFile {
  const { project } = useStores()
  const files = useProject((state) => state.workspace.files)
  const config = useConfigText()
  const code = useFindings((state) => state.code)
  const own = useMemo(() => code?.filter((one) => one.path === path) ?? NONE, [code, path])
  if (path === CONFIG) return config
  if (path === GENERATED) return readOnly(generated?.text ?? '', own)
  if (path === STORES) return readOnly(generated?.stores ?? '', own)
  return {
    text: files[path] ?? '',
    readOnly: false,
    diagnostics: own,
    onChange: (text) =>
      project.getState().edit(`Edit ${path}`, (workspace) => editFile(workspace, path, text), `code:${path}`),
  }
}

function readOnly(text: string, diagnostics: readonly CodeDiagnostic[]): OpenFile {
  return { text, readOnly: true, diagnostics, onChange: () => undefined }
}

/** The config as text. What is typed stays as it was typed, also while it is no JSON. */
function useConfigText(): OpenFile {
  const { project } = useStores()
  const config = useProject((state) => state.workspace.config)
  const problems = useFindings((state) => state.analysis?.problems)
  const [typed, setTyped] = useState<{ readonly text: string; readonly config: typeof config } | null>(null)
  const text = typed?.config === config ? typed.text : configText(config)
  const diagnostics = useMemo(() => {
    const read = readConfigText(text)
    if (!read.ok) return [read.problem]
    return (problems ?? []).filter(({ file }) => file === CONFIG).map(({ message }) => configProblem(text, message))
  }, [text, problems])
  const onChange = (next: string) => {
    const read = readConfigText(next)
    if (read.ok) {
      project
        .getState()
        .edit(`Edit ${CONFIG}`, (workspace) => ({ ...workspace, config: read.config }), `code:${CONFIG}`)
    }
    setTyped({ text: next, config: project.getState().workspace.config })
  }
  return { text, readOnly: false, diagnostics, onChange }
}
