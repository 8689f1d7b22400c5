import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'
import { libraryListQuery } from '#src/api/libraries.ts'
import { blocksHere } from '#src/features/question/here.ts'
import { papersHere } from '#src/sitting/ahead.ts'
import { hasLessons, offline } from '#src/offline/index.ts'
import { missingOf } from '#src/offline/downloads/keptQuestions.ts'
import { session } from '#src/session/session.ts'
import common from '#src/ui/common.module.css'
import classes from './Available.module.css'

interface Available {
  /** Titles of libraries with chapters on this device. */
  libraries: string[]
  chapters: number
  errors: number
  papers: number
  /** Downloaded whole. */
  lessons: number
}
const NAMED = 3

/** 现在可以离线学习: the way on from a card that says 尚未下载. */
export function Available() {
  const client = useQueryClient()
  const [found, setFound] = useState<Available | null>(null)
  useEffect(() => {
    const readTitles = async (chapters: ReadonlySet<string>): Promise<string[]> => {
      const libraries = await client.ensureQueryData(libraryListQuery()).catch(() => [])
      return libraries.filter((each) => each.chapters.some(({ no }) => chapters.has(no))).map(({ title }) => title)
    }
    read(readTitles).then(setFound, () => {})
  }, [client])
  if (!found) return null
  const { libraries, chapters, errors, papers, lessons } = found
  if (chapters + errors + papers + lessons === 0)
    return <p>还没有下载题目和课时。联网打开一个章节，或下载离线包、课时，以后没有网络也能学。</p>
  return (
    <nav className={classes.here} aria-label="现在可以离线学习">
      <h3 className={classes.title}>现在可以离线学习</h3>
      {chapters > 0 && (
        <Way to="/question/library" name="题库">
          {chapters} 个章节{libraries.length > 0 && `：${listed(libraries)}`}
        </Way>
      )}
      {papers > 0 && (
        <Way to="/user/my_set" name="我的题集">
          {papers} 套试卷
        </Way>
      )}
      {errors > 0 && (
        <Way to="/user/my_error" name="我的错题">
          {errors} 题
        </Way>
      )}
      {lessons > 0 && (
        <Way {...(isStudent() ? { to: '/user/my_course', name: '我的课程' } : KEPT)}>{lessons} 个已下载的课时</Way>
      )}
    </nav>
  )
}

const KEPT = { to: '/course/course_list', search: { kept: true }, name: '已下载课程' } as const

interface WayProps {
  to: '/question/library' | '/user/my_set' | '/user/my_error' | '/user/my_course' | '/course/course_list'
  search?: { kept: true }
  name: string
  children: ReactNode
}

const Way = ({ name, children, ...way }: WayProps) => (
  <Link {...way} className={clsx(common.row, common.link, classes.way)}>
    <b className={clsx(common.fixed, classes.name)}>{name}</b>
    <span>{children}</span>
  </Link>
)

const listed = (titles: readonly string[]): string =>
  titles.slice(0, NAMED).join('、') + (titles.length > NAMED ? `等 ${titles.length} 科` : '')

const isStudent = (): boolean => session.get().uid !== null

async function read(titlesOf: (chapters: ReadonlySet<string>) => Promise<string[]>): Promise<Available> {
  const blocks = await blocksHere()
  const chapters = new Set([...blocks.values()].map(({ chapterNo }) => chapterNo))
  const none = () => 0
  // Screens of one's own lists ask a visitor to log in first; a student whose token has run out may go on.
  const own = isStudent()
  const [libraries, errors, papers, lessons] = await Promise.all([
    titlesOf(chapters),
    own ? errorsHere().catch(none) : 0,
    own ? papersHere().catch(none) : 0,
    lessonsHere().catch(none),
  ])
  return { libraries, chapters: chapters.size, errors, papers, lessons }
}

async function errorsHere(): Promise<number> {
  // Questions that the student took out of the error book are not due.
  const nos = await offline.shelfNumbers('due')
  return nos.length - (await missingOf(offline.owner, nos)).length
}

/** Its code is on the device of who has any; a network that does not answer holds up nobody else. */
async function lessonsHere(): Promise<number> {
  if (!(await hasLessons())) return 0
  const { lessons } = await import('#src/offline/downloads/lessons/lessons.ts')
  return (await lessons.taken()).whole
}
