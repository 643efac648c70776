import { useEffect, useRef } from 'react'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'
import type { Shown } from './changeMarks.js'
import { createEditor, type EditorHandle, type EditorOptions } from './createEditor.js'

export interface CodeEditorProps extends EditorOptions {
  readonly text: string
  readonly diagnostics: readonly CodeDiagnostic[]
  readonly shown: Shown
  /** A line to go to; a new object goes there again. */
  readonly place: { readonly line: number } | null
}

/** One file in CodeMirror. Give it the path as its key: each file has an editor of its own. */
export function CodeEditor(props: CodeEditorProps) {
  const { text, diagnostics, shown, place } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorHandle | null>(null)
  const options = useRef<EditorOptions>(props)
  options.current = props
  const initial = useRef(text)

  useEffect(() => {
    if (host.current === null) return
    editor.current = createEditor(host.current, initial.current, () => options.current)
    return () => {
      editor.current?.destroy()
      editor.current = null
    }
  }, [])

  useEffect(() => editor.current?.setText(text), [text])
  useEffect(() => editor.current?.setDiagnostics(diagnostics), [diagnostics])
  useEffect(() => editor.current?.setMarks(shown), [shown])
  useEffect(() => {
    if (place !== null) editor.current?.goTo(place.line)
  }, [place])
  return <div ref={host} className="code-editor" />
}
