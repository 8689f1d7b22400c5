import { clsx } from 'clsx'
import { Fragment, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { typeName } from '#src/domain/question/typeName.ts'
import { type BookPart, PHASE_NAMES, type Phase } from '#src/domain/study/errorBook.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import type { Counters } from '#src/offline/index.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Select } from '#src/ui/Select.tsx'
import common from '#src/ui/common.module.css'
import { dateText } from '#src/ui/dates.ts'
import { download } from '#src/ui/download.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { useBackCloses } from '#src/ui/dialog/useBackCloses.ts'
import { type Entry, isRetired, readEntries } from './entries.ts'
import { type GroupLine, groupLines, groupName, type Names } from './groups.ts'
import classes from './Print.module.css'
import { paperHtml } from './paperHtml.ts'
import { Answer, Whole } from './Whole.tsx'

const SIZES = [10, 20, 50, 100, 200] as const

interface PrintViewProps {
  rows: readonly Counters[]
  rule: number
  part: BookPart & { phase: Phase }
  names: Names
  onClose: () => void
}

/** 打印错题: a sheet of its own over the app, black on white, questions first, answers and analyses at the end; the same as a Word file. */
export function PrintView({ rows, rule, part, names, onClose }: PrintViewProps) {
  const [chosen, setChosen] = useState<BookPart>(part)
  const [size, setSize] = useState(20)
  const [now] = useState(serverNow)
  const [answers, setAnswers] = useState(true)
  const [making, setMaking] = useState(false)
  const { entries, pictures } = useEntries(rows, chosen, rule, size)
  const sheet = useRef<HTMLDivElement>(null)
  const page = useAlone(onClose)
  useBackCloses(onClose)
  const lines = groupLines(rows, part, rule, names)
  const here = entries?.filter((entry) => entry.part) ?? []
  const group = groupName(chosen.is === undefined ? {} : chosen, names)
  const title = `我的错题 · ${PHASE_NAMES[part.phase]} · ${group}`
  const note = `${dateText(now)} · 共 ${here.length} 题`
  const name = `错题-${PHASE_NAMES[part.phase]}-${group.replaceAll(UNFIT, ' ')}-${dateOf(dayOf(now))}`
  const exportWord = async () => {
    setMaking(true)
    await giveWord(here, { title, note, answers }, name)
    setMaking(false)
  }
  return createPortal(
    <div ref={page} tabIndex={-1} className={classes.page} role="dialog" aria-modal="true" aria-label="打印错题">
      <div className={clsx(common.wrap, classes.tools)}>
        <Groups lines={lines} chosen={chosen} names={names} onChoose={({ by, is }) => setChosen({ ...part, by, is })} />
        <label className={clsx(common.row, classes.field)}>
          题数
          <Select value={size} onChange={(event) => setSize(Number(event.target.value))}>
            {SIZES.map((each) => (
              <option key={each} value={each}>
                最多 {each} 题
              </option>
            ))}
          </Select>
        </label>
        <Checkbox checked={answers} onChange={(event) => setAnswers(event.target.checked)}>
          附答案和解析
        </Checkbox>
        <Button disabled={here.length === 0} onClick={() => void print(sheet.current, name)}>
          打印 / 存为 PDF
        </Button>
        <Button look="light" busy={making} disabled={here.length === 0} onClick={() => void exportWord()}>
          导出 Word
        </Button>
        <Button look="light" tone="plain" onClick={onClose}>
          关闭
        </Button>
        <p role="status" className={classes.status}>
          {statusText(entries, here.length) || '存为 PDF：在打印窗口的“打印机”里选“另存为 PDF”。'}
        </p>
      </div>
      <div ref={sheet} className={classes.sheet} key={pictures}>
        <h1 className={classes.title}>{title}</h1>
        <p>{note}</p>
        <ol className={classes.list}>
          {here.map((entry, i) => (
            <Question key={entry.state.questionNo} entry={entry} before={here[i - 1]} />
          ))}
        </ol>
        {answers && here.length > 0 && <Answers entries={here} />}
      </div>
    </div>,
    document.body,
  )
}

const keyOf = ({ by, is }: BookPart) => (is === undefined ? '' : `${by}:${is}`)

interface GroupsProps {
  lines: readonly GroupLine[]
  chosen: BookPart
  names: Names
  onChoose: (group: Pick<BookPart, 'by' | 'is'>) => void
}

/** Which group is printed: one of those that have questions, or all. */
function Groups({ lines, chosen, names, onChoose }: GroupsProps) {
  const key = keyOf(chosen)
  return (
    <label className={clsx(common.row, classes.field)}>
      分组
      <Select value={key} onChange={({ target }) => onChoose(lines.find((line) => keyOf(line) === target.value) ?? {})}>
        <option value="">全部</option>
        {key !== '' && !lines.some((line) => keyOf(line) === key) && (
          <option value={key}>{groupName(chosen, names)}</option>
        )}
        {lines.map((line) => (
          <option key={keyOf(line)} value={keyOf(line)}>
            {line.name}（{line.count}）
          </option>
        ))}
      </Select>
    </label>
  )
}

function statusText(entries: readonly Entry[] | null, here: number): string {
  if (!entries) return '正在准备…'
  const missing = entries.length - here
  if (missing > 0) return `${missing} 道题还没有下载，联网后可打印`
  return here === 0 ? '这一组没有题' : ''
}

const materialOf = ({ located }: Entry) => (located?.question.type === 'composite' ? located.question : null)

/** A material stands once, before the first of its questions. */
function Question({ entry, before }: { entry: Entry; before: Entry | undefined }) {
  const { part } = entry
  if (!part) return null
  const material = materialOf(entry)
  const same = before !== undefined && material !== null && materialOf(before)?.no === material.no
  return (
    <li className={classes.question}>
      <small>
        {typeName(part, material)}
        {isRetired(entry) && ' · 已下架'}
      </small>
      <Whole part={part} material={same ? null : material} />
    </li>
  )
}

function Answers({ entries }: { entries: readonly Entry[] }) {
  return (
    <section className={classes.answers}>
      <h2 className={classes.subtitle}>答案和解析</h2>
      <ol className={classes.list}>
        {entries.map((entry) => (
          <Fragment key={entry.state.questionNo}>
            {entry.part && (
              <li className={classes.answer}>
                <Answer part={entry.part} material={materialOf(entry)} />
              </li>
            )}
          </Fragment>
        ))}
      </ol>
    </section>
  )
}

/** Names of files may not hold these. */
const UNFIT = /[\\/:*?"<>|\s]+/g

/** Makes a Word file of the same questions. The code for it comes when it is first asked for. */
async function giveWord(entries: readonly Entry[], head: Parameters<typeof paperHtml>[1], name: string): Promise<void> {
  const questions = entries.flatMap((entry) => (entry.part ? [{ part: entry.part, material: materialOf(entry) }] : []))
  try {
    const { wordFile } = await import('./word/wordFile.ts')
    download(await wordFile(paperHtml(questions, head)), `${name}.docx`)
  } catch (error) {
    void feedback.warn(wordsOf(error, '没有导出成功，请联网后再试一次；也可以打印或存为 PDF'))
  }
}

/** Pictures wait for the scroll, and in 省流模式 for a tap: paper has neither. A PDF is called as the page is meanwhile. */
async function print(sheet: HTMLElement | null, name: string): Promise<void> {
  if (!sheet) return
  for (const button of sheet.querySelectorAll('button')) button.click()
  const pictures = [...sheet.querySelectorAll('img')]
  for (const picture of pictures) picture.loading = 'eager'
  // One that cannot be had leaves its place empty, and nothing else waits for it.
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})))
  const { title } = document
  document.title = name
  window.print()
  document.title = title
}

/** The app behind is out of reach, also for the printer, until Escape or 关闭; then the focus is where it was. */
function useAlone(onClose: () => void): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // The sheet that led here has just closed and given the focus back to its opener.
    const before = document.activeElement
    focusOn(page.current)
    return () => {
      // The browser focuses nothing that is inert.
      document.getElementById('root')?.toggleAttribute('inert', false)
      if (before instanceof HTMLElement) focusOn(before)
    }
  }, [])
  useEffect(() => {
    const root = document.getElementById('root')
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    root?.toggleAttribute('inert', true)
    const paper = [document.documentElement, document.body]
    for (const each of paper) each.toggleAttribute('data-print', true)
    window.addEventListener('keydown', onKey)
    return () => {
      root?.toggleAttribute('inert', false)
      for (const each of paper) each.toggleAttribute('data-print', false)
      window.removeEventListener('keydown', onKey)
    }
  }, [onClose])
  return page
}

function useEntries(rows: readonly Counters[], { phase, by, is }: BookPart, rule: number, size: number) {
  const [read, setRead] = useState<{ key: string; entries: readonly Entry[] } | null>(null)
  const key = [phase, by, is, size].join()
  useEffect(() => {
    let current = true
    void readEntries(rows, { phase, by, is }, { rule, from: 0, size })
      .catch(() => [])
      .then((entries) => current && setRead({ key, entries }))
    return () => {
      current = false
    }
  }, [rows, phase, by, is, rule, size, key])
  return { entries: read?.key === key ? read.entries : null, pictures: key }
}
