import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { isTyping } from '#src/ui/typing.ts'
import type { SearchDialogProps } from './SearchDialog.tsx'

const SearchDialog = lazy(() => import('./SearchDialog.tsx').then((m) => ({ default: m.SearchDialog })))

/** The way into the search: a button, and the key `/`. */
export function SearchOpener(props: Omit<SearchDialogProps, 'onClose'>) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const close = () => {
    setOpen(false)
    button.current?.querySelector('button')?.focus()
  }
  return (
    <span ref={button}>
      <Button small look="light" aria-label="搜题" aria-keyshortcuts="/" onClick={() => setOpen(true)}>
        <IconSearch size={20} aria-hidden="true" />
        搜题
      </Button>
      {open && (
        <Suspense>
          <SearchDialog {...props} onClose={close} />
        </Suspense>
      )}
    </span>
  )
}
