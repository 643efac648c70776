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
  readonly children: ReactNode
}) {
  const { open, onClose, title, width, children } = props
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="dialog" style={{ width }} aria-describedby={undefined}>
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
