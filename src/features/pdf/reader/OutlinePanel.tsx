import { IconX } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useRef } from 'react'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import type { Destination, Entry } from './links.ts'
import classes from './OutlinePanel.module.css'
import { useVisit } from './useVisit.ts'

interface OutlineProps {
  entries: readonly Entry[]
  onGo: (to: Destination) => void
  onClose: () => void
}

/** The document's own table of contents: beside it on wide screens, over it on phones. */
export function OutlinePanel({ entries, onGo, onClose }: OutlineProps) {
  const panel = useRef<HTMLElement>(null)
  useVisit(panel, (own) => own.querySelector('h2'))
  return (
    <nav ref={panel} className={classes.outline} aria-label="目录">
      <header className={clsx(common.row, classes.head)}>
        <h2 className={clsx(common.grow, classes.heading)} tabIndex={-1}>
          目录
        </h2>
        <IconButton aria-label="关闭目录" onClick={onClose}>
          <IconX size={22} />
        </IconButton>
      </header>
      <Entries entries={entries} onGo={onGo} />
    </nav>
  )
}

function Entries({ entries, onGo }: Pick<OutlineProps, 'entries' | 'onGo'>) {
  return (
    <ul className={classes.list}>
      {entries.map(({ title, to, items }, i) => (
        // Entries have no identity but their place.
        <li key={i}>
          {to ? (
            <button type="button" className={clsx(classes.entry, classes.leading)} onClick={() => onGo(to)}>
              {title || '（无标题）'}
            </button>
          ) : (
            <span className={classes.entry}>{title}</span>
          )}
          {items.length > 0 && <Entries entries={items} onGo={onGo} />}
        </li>
      ))}
    </ul>
  )
}
