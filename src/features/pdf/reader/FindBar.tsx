import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useRef } from 'react'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { MOST_MATCHES } from './find.ts'
import classes from './FindBar.module.css'
import type { Find } from './useFind.ts'
import { useVisit } from './useVisit.ts'

export function FindBar({ find, count, onClose }: { find: Find; count: number; onClose: () => void }) {
  const bar = useRef<HTMLDivElement>(null)
  // It was opened to type there.
  useVisit(bar, (own) => own.querySelector('input'))
  const none = find.matches.length === 0
  return (
    <div ref={bar} className={classes.bar} role="search">
      <SearchField
        aria-label="在文档中搜索"
        placeholder="在文档中搜索"
        defaultValue={find.words}
        onWords={find.search}
        onKeyDown={({ key, shiftKey, nativeEvent }) => {
          if (nativeEvent.isComposing) return
          if (key === 'Enter') find.step(shiftKey ? -1 : 1)
          if (key === 'Escape') onClose()
        }}
      />
      <output className={clsx(common.note, common.figures, classes.count)}>
        <Told find={find} count={count} />
      </output>
      <IconButton aria-label="上一处" disabled={none} onClick={() => find.step(-1)}>
        <IconChevronUp size={22} />
      </IconButton>
      <IconButton aria-label="下一处" disabled={none} onClick={() => find.step(1)}>
        <IconChevronDown size={22} />
      </IconButton>
      <IconButton aria-label="关闭搜索" onClick={onClose}>
        <IconX size={22} />
      </IconButton>
    </div>
  )
}

function Told({ find: { words, matches, active, reading, hasText }, count }: { find: Find; count: number }) {
  if (words.trim() === '') return null
  const all = matches.length >= MOST_MATCHES ? `${MOST_MATCHES}+` : String(matches.length)
  if (matches.length > 0) return active < 0 ? `${all} 处` : `${active + 1} / ${all}`
  if (reading === null && hasText) return '没有找到'
  if (reading === null)
    return (
      <>
        <span className={classes.detail}>扫描件</span>没有文字
      </>
    )
  return (
    <>
      正在查找
      <span className={classes.detail}>
        {' '}
        {reading} / {count} 页
      </span>
    </>
  )
}
