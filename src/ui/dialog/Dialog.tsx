import { IconX } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import common from '../common.module.css'
import classes from './Dialog.module.css'
import { IconButton } from '../IconButton.tsx'
import { Toasts } from '../feedback/Toasts.tsx'
import { useBackCloses } from './useBackCloses.ts'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** CSS px on wide screens. */
  width?: number
  /** Fills a phone's screen. */
  full?: boolean
  /** Rises from the bottom on phones. */
  sheet?: boolean
  /** Nothing of the page is to be seen beside it, however wide the screen. */
  covers?: boolean
}

/**
 * A modal over the platform's own dialog element, which traps the focus, answers Escape and makes the rest inert. It stands at the
 * end of the page, where no part of it says how its own headings, links and lines look.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, width = 480, full = false, sheet = false, covers = false } = props
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useBackCloses(onClose)
  // In the layout phase the dialog is still in the page when it closes: the browser gives the focus back to what opened it.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) {
      dialog.showModal()
      // Not the way out, which the browser would choose: what is to be done, else the title.
      const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector('h2')
      first?.focus()
    }
    return () => dialog?.close()
  }, [])
  useEffect(() => {
    const dialog = ref.current
    // A click on the backdrop is a click on the dialog element itself.
    const outside = (event: MouseEvent) => {
      if (event.target === dialog && !covers) onClose()
    }
    dialog?.addEventListener('click', outside)
    return () => dialog?.removeEventListener('click', outside)
  }, [onClose, covers])
  return createPortal(
    <dialog
      ref={ref}
      className={classes.dialog}
      data-full={full || undefined}
      data-sheet={sheet || undefined}
      data-covers={covers || undefined}
      style={{ '--dialog-width': `${width}px` }}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        // A dialog that this one was opened from stays: React hands the event on to it.
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={clsx(common.row, classes.head)}>
        <h2 id={id} className={clsx(common.grow, common.subheading, common.strong, classes.title)} tabIndex={-1}>
          {title}
        </h2>
        <IconButton aria-label="关闭" onClick={onClose}>
          <IconX size={22} />
        </IconButton>
      </div>
      <div className={classes.body}>{children}</div>
      <Toasts over />
    </dialog>,
    document.body,
  )
}
