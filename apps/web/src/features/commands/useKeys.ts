import { useEffect } from 'react'
import { looksLikeTopology } from '../../model/importText.js'
import { clipText, pasteText, removeSelected } from './editCommands.js'
import { isForCommands, matches, takesText } from './keys.js'
import { useCommands } from './useCommands.js'

/** Listens for the page's keys; the clipboard comes through the host's own events, which need no permission. */
export function useKeys(): void {
  const commands = useCommands()
  useEffect(() => {
    const { context } = commands
    const hasText = () => !window.getSelection()?.isCollapsed
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isForCommands(event, event.target as Element | null)) return
      const command = commands.list.find((one) => !one.byHost && one.keys.some((chord) => matches(chord, event)))
      if (!command?.enabled(context)) return
      event.preventDefault()
      commands.run(command.id)
    }
    const onCopy = (event: ClipboardEvent) => {
      const chosen = context.stores.view.getState().selection.length > 0
      if (!chosen || hasText() || takesText(document.activeElement)) return
      event.clipboardData?.setData('text/plain', clipText(context))
      event.preventDefault()
      if (event.type === 'cut') removeSelected(context, 'Cut')
    }
    const onPaste = (event: ClipboardEvent) => {
      if (takesText(document.activeElement)) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const open = context.stores.project.getState().projectId !== null
      if (open && pasteText(context, text)) event.preventDefault()
      else if (looksLikeTopology(text)) {
        event.preventDefault()
        context.stores.view.getState().set({ overlay: 'import', importing: text })
      }
    }
    window.addEventListener('keydown', onKeyDown)
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [commands])
}
