import {
  IconArrowLeft,
  IconBrightness,
  IconFileDownload,
  IconList,
  IconMinus,
  IconPlus,
  IconSearch,
} from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useScheme } from '#src/ui/scheme.ts'
import fields from '#src/ui/Field.module.css'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from './Toolbar.module.css'

interface HeadProps {
  title: string
  /** What is said of this copy: its size, and whether it is on the device. */
  about: string
  outline: { open: boolean; toggle: () => void } | null
  finding: boolean
  paper: { inverted: boolean; toggle: () => void }
  onFind: () => void
  onSave: () => void
  onLeave: () => void
}

export function Head({ title, about, outline, finding, paper, onFind, onSave, onLeave }: HeadProps) {
  const dark = useScheme() === 'dark'
  return (
    <header className={clsx(common.row, classes.head)}>
      <IconButton aria-label="返回" onClick={onLeave}>
        <IconArrowLeft size={22} />
      </IconButton>
      <div className={clsx(common.grow, classes.title)}>
        <h1 className={clsx(common.strong, common.ellipsis, classes.name)}>{title}</h1>
        <small className={clsx(common.quiet, common.ellipsis, classes.about)}>{about}</small>
      </div>
      <IconButton aria-label="搜索文字" aria-pressed={finding} title="搜索文字（Ctrl+F）" onClick={onFind}>
        <IconSearch size={22} />
      </IconButton>
      {outline && (
        <IconButton aria-label="目录" aria-expanded={outline.open} title="目录" onClick={outline.toggle}>
          <IconList size={22} />
        </IconButton>
      )}
      {dark && (
        <IconButton aria-label="深色纸张" aria-pressed={paper.inverted} title="深色纸张" onClick={paper.toggle}>
          <IconBrightness size={22} />
        </IconButton>
      )}
      <IconButton aria-label="保存文档" title="保存文档" onClick={onSave}>
        <IconFileDownload size={22} />
      </IconButton>
    </header>
  )
}

interface ControlsProps {
  /** From 0. */
  page: number
  count: number
  percent: number
  fits: boolean
  onPage: (page: number) => void
  onStep: (up: boolean) => void
  onFit: () => void
}

export function Controls({ page, count, percent, fits, onPage, onStep, onFit }: ControlsProps) {
  return (
    <div className={clsx(common.wrap, classes.controls)} role="toolbar" aria-label="页码与缩放">
      <PageStatus page={page} count={count} />
      <PageField page={page} count={count} onPage={onPage} />
      <span className={common.inline}>
        <IconButton aria-label="缩小" title="缩小（-）" onClick={() => onStep(false)}>
          <IconMinus size={22} />
        </IconButton>
        <button
          type="button"
          className={clsx(common.figures, fits && [common.accent, common.strong], classes.fit)}
          aria-label={`适合宽度，现在${percent}%`}
          aria-pressed={fits}
          title={fits ? '放大阅读（双击页面空白处）' : '适合宽度（0）'}
          onClick={onFit}
        >
          {percent}%
        </button>
        <IconButton aria-label="放大" title="放大（+）" onClick={() => onStep(true)}>
          <IconPlus size={22} />
        </IconButton>
      </span>
    </div>
  )
}

const STAYS_MS = 600

/** Which page is read, said once the pages stand: who scrolls through a hundred hears of the last. */
function PageStatus({ page, count }: Pick<ControlsProps, 'page' | 'count'>) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(`第 ${page + 1} 页，共 ${count} 页`), STAYS_MS)
    return () => clearTimeout(timer)
  }, [page, count])
  return (
    <span className={unseen.unseen} role="status">
      {said}
    </span>
  )
}

function PageField({ page, count, onPage }: Pick<ControlsProps, 'page' | 'count' | 'onPage'>) {
  const [typed, setTyped] = useState<string | null>(null)
  const leave = () => {
    const wanted = Number(typed)
    setTyped(null)
    if (typed !== null && Number.isInteger(wanted) && wanted >= 1) onPage(Math.min(wanted, count) - 1)
  }
  return (
    <form
      className={clsx(common.row, common.quiet, common.figures)}
      onSubmit={(event) => {
        event.preventDefault()
        // And the keys are the pages' again.
        event.currentTarget.querySelector('input')?.blur()
      }}
    >
      <input
        className={clsx(fields.input, classes.page)}
        aria-label={`页码，共${count}页`}
        inputMode="numeric"
        enterKeyHint="go"
        autoComplete="off"
        size={Math.max(2, String(count).length)}
        value={typed ?? String(page + 1)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setTyped(currentTarget.value.replaceAll(/\D/g, ''))}
        onBlur={leave}
      />
      <span aria-hidden="true">/ {count}</span>
    </form>
  )
}
