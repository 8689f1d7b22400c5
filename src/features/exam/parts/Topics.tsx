import { clsx } from 'clsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import { lostIn, type SatQuestion, type Topic, topicsOf } from '#src/domain/paper/examReport.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { session } from '#src/session/session.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { MarksTable } from './Sections.tsx'
import classes from '../Report.module.css'
import exams from '../Exams.module.css'

/** What to study next: more would be no advice. */
const NEXT_MAX = 5

/** 学习建议, and 知识点, of which it is the head. */
export function Topics({ questions }: { questions: readonly SatQuestion[] }) {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const topics = topicsOf(questions).map((topic) => {
    const { chapter } = homeOf(libraries, topic)
    return { ...topic, name: topic.name ?? chapter?.title ?? '其他章节', chapter: chapter?.title ?? null }
  })
  return (
    <>
      <Next topics={topics} missed={questions.filter(({ outcome }) => MISSED.has(outcome)).length} />
      <Points topics={topics} />
    </>
  )
}
const MISSED: ReadonlySet<string> = new Set(['wrong', 'partial'])
type Named = Topic & { name: string; chapter: string | null }

const LINE = clsx(common.between, exams.line)

function Next({ topics, missed }: { topics: readonly Named[]; missed: number }) {
  const weak = topics.filter((topic) => lostIn(topic) > 0).slice(0, NEXT_MAX)
  return (
    <section className={clsx(common.panel, classes.wide)} aria-labelledby="next">
      <h2 id="next" className={common.subheading}>
        学习建议
      </h2>
      {weak.length === 0 && <p className={common.note}>没有丢分，换套试卷继续练。</p>}
      <ol>
        {weak.map((topic) => (
          <li key={topic.key} className={LINE}>
            <span className={common.column}>
              <b>{topic.name}</b>
              <small className={clsx(common.caption, common.figures)}>
                丢 {marksText(lostIn(topic))} 分，答对 {topic.right}/{topic.total} 题
                {topic.chapter && topic.chapter !== topic.name && ` · ${topic.chapter}`}
              </small>
            </span>
            {/* A library for papers alone has no chapters to practise. */}
            {topic.chapter && (
              <Link
                {...buttonLook({ small: true, look: 'light' })}
                to="/question/library_study/$no/$count/$title"
                params={{ no: topic.chapterNo, count: session.get().chapterCount, title: topic.chapter }}
                aria-label={`去练习 ${topic.name}`}
              >
                去练习
              </Link>
            )}
          </li>
        ))}
        {missed > 0 && (
          <li className={LINE}>
            <span className={common.column}>
              <b>错题本</b>
              <small className={clsx(common.caption, common.figures)}>
                这次做错的 {missed} 题在里面，会按记忆规律安排复习
              </small>
            </span>
            <Link {...buttonLook({ small: true, look: 'light' })} to="/user/my_error">
              去复习
            </Link>
          </li>
        )}
      </ol>
    </section>
  )
}

function Points({ topics }: { topics: readonly Named[] }) {
  return (
    <section className={common.panel} aria-labelledby="by-point">
      <h2 id="by-point" className={common.subheading}>
        各知识点
      </h2>
      <MarksTable name="知识点" rows={topics} bars />
    </section>
  )
}
