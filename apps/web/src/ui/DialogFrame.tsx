import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Glyph } from './Glyph.js'
import './dialog.css'

/** A dialog over the page: a title, a way out, and what it is about. */
export function DialogFrame(props: {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly width: number
  /** Takes the focus when the dialog has closed; absent: whatever had it before. */
  readonly onClosed?: () => void
  readonly children: ReactNode
}) {
  const { open, onClose, title, width, onClosed, children } = props
  const onCloseAutoFocus = (event: Event) => {
    if (!onClosed) return
    event.preventDefault()
    onClosed()
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content
          className="dialog"
          style={{ width }}
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <header>
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="icon-button small" aria-label="Close">
              <Glyph name="close" />
            </Dialog.Close>
          </header>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
