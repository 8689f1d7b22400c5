import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useRef, useState } from 'react'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { type LessonNote, lessonNotesText, newestNotes } from '#src/domain/course/lessonNotes.ts'
import { fold, termsOf } from '#src/domain/text/searchText.ts'
import { useThings } from '#src/offline/useThings.ts'
import common from '#src/ui/common.module.css'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import { dateText } from '#src/ui/dates.ts'
import { download } from '#src/ui/download.ts'
import { Empty } from '#src/ui/Empty.tsx'
import { More, NoMore } from '#src/ui/list/More.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { lessonWay } from '../lessonWay.ts'
import { MomentWords, NoteRow } from './NoteRow.tsx'
import classes from './Notes.module.css'

/** Rows that come at a time. */
const PAGE = 40

/** 我的笔记, those on lessons: the newest first, to be opened at their second, changed, deleted, searched and taken along. */
export function LessonNotesPage({ kinds }: { kinds: ReactNode }) {
  const things = useThings('lessonNote')
  const [words, setWords] = useState('')
  const [limit, setLimit] = useState(PAGE)
  const title = useRef<HTMLHeadingElement>(null)
  const notes = things && newestNotes(things)
  const terms = termsOf(words)
  const found = (notes ?? []).filter((note) => terms.every((term) => textOf(note).includes(term)))
  const take = () => {
    const now = Date.now()
    const text = lessonNotesText(things ?? new Map(), now)
    download(new Blob([text], { type: 'text/markdown;charset=utf-8' }), `课时笔记-${dateOf(dayOf(now))}.md`)
  }
  return (
    <section className={common.stack} aria-labelledby="my-note">
      <div className={common.wrap}>
        <h1 id="my-note" className={clsx(common.heading, classes.title)} ref={title} tabIndex={-1}>
          我的笔记
        </h1>
        <Button look="light" disabled={!notes?.length} onClick={take}>
          导出
        </Button>
      </div>
      {kinds}
      <SearchField type="search" aria-label="搜索笔记或课时" placeholder="搜索笔记或课时" onWords={setWords} />
      {notes && found.length === 0 && <Nothing searched={terms.length > 0} />}
      <ul className={clsx(common.stack, classes.notes)} aria-label="课时笔记">
        {found.slice(0, limit).map((note) => (
          <NoteRow key={note.noteNo} note={note} onGone={() => title.current?.focus({ preventScroll: true })}>
            <Jump note={note} />
          </NoteRow>
        ))}
      </ul>
      {found.length > limit ? (
        <More key={limit} onMore={() => setLimit(limit + PAGE)} />
      ) : (
        found.length > PAGE && <NoMore />
      )}
    </section>
  )
}

const textOf = ({ text, titles }: LessonNote): string => fold([text, ...titles].join('\n'))

function Jump({ note: { courseNo, lessonNo, ofKind, titles, second, text, at } }: { note: LessonNote }) {
  const way = lessonWay({ no: courseNo, kind: ofKind, open: true }, { no: lessonNo })
  return (
    <>
      <Link {...way} search={{ t: second }} className={clsx(common.link, classes.moment)}>
        <MomentWords second={second} text={text} />
      </Link>
      <p className={clsx(common.wrap, common.caption, classes.facts)}>
        {titles.map((each, i) => (
          <span key={i}>{each}</span>
        ))}
        <span>{dateText(at)}</span>
      </p>
    </>
  )
}

function Nothing({ searched }: { searched: boolean }) {
  if (searched)
    return (
      <Empty of="paper" title="没有找到" role="status">
        <p>换一个更短的词，或清空搜索框。</p>
      </Empty>
    )
  return (
    <Empty of="note" title="还没有课时笔记">
      <p>看课听课时点“记笔记”，写下的都会收到这里，点一下就回到那一刻。</p>
      <Link to="/course/course_list" {...buttonLook()}>
        去看课程
      </Link>
    </Empty>
  )
}
