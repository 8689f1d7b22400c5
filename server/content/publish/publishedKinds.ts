import type { CourseRow } from '#server/course/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Publication } from '#server/exam/store.ts'
import type { Media } from '#server/content/media/arriving.ts'
import { judgeBooks, readBooks, writeCheckedBooks } from './bookFile.ts'
import { judgeCourse, numbersOf, readCourse } from './courseFile.ts'
import { writeCheckedCourse } from './coursePublish.ts'
import type { Finding } from '#server/content/draft.ts'
import { checkExam, writeCheckedExam } from './examFile.ts'
import { judgeNews, readNews, writeCheckedNews } from './newsFile.ts'
import { judgePackage, readPackage, writeCheckedPackage } from './packageFile.ts'
import type { Published } from './paperFile.ts'
import { checkSet, writeCheckedSet } from './setFile.ts'
import { checkTesting, writeCheckedTesting } from './testingFile.ts'
import { checkVip, writeCheckedVip } from './vipFile.ts'

/** What became of a file: for programs, and for the operator. */
export interface Written {
  written: object | string
  told: string
}
/** A file as it stands against the database. */
export interface Judged {
  total: number
  findings: Finding[]
  /** What it publishes, each with what it is called. */
  numbers: { what: string; no: string }[]
  /** What else it writes, which has no number among these. */
  tables?: string[]
  /** @throws FileFault when it has faults. @param now epoch ms */
  write: (tx: Tx, now: number) => Promise<Written>
}
/** A file that was read, with all that it names: judging it asks the database alone, and may be done again. */
export interface Reading {
  media: Media
  /** @param alongside courses of the same import by number: of those that were judged before; a course adds itself */
  judge: (db: Db | Tx, alongside: Map<string, CourseRow>) => Promise<Judged>
}
interface Kind {
  what: string
  /** What is counted. */
  unit: string
  /** @param copies of pictures that the JSON named on other sites, by the names that it has for them now */
  read: (file: string, json: unknown, copies: ReadonlyMap<string, Buffer>) => Promise<Reading> | Reading
}

/** As claims of an operator: a category of news, whose numbers are their own, and the table that VIP packages are compared by. */
export const categoryClaim = (no: string): string => `news/category/${no}`
export const FEATURES = 'vip/features'

const NO_MEDIA: Media = { files: new Map(), lessons: [] }
const PAPER_TOLD = { added: '新增', changed: '更新试卷', same: '试卷没有变化' }
const paperTold = (what: string, written: Publication): Written => ({
  written,
  told: written === 'added' ? `${PAPER_TOLD.added}${what}` : PAPER_TOLD[written],
})
const numbered = (what: string, rows: readonly { no: string }[] | null | undefined) =>
  rows?.map(({ no }) => ({ what, no })) ?? []

/** What can be published, in the order of judging and writing: packages and testings name courses that come alongside. */
export const KINDS: Record<Published, Kind> = {
  set: {
    what: '题集',
    unit: '题',
    read: (file, json) => ({
      media: NO_MEDIA,
      judge: async (db) => {
        const checked = await checkSet(db, file, json)
        const { set } = checked
        return {
          ...checked,
          numbers: [...numbered('题集', set && [set.row]), ...numbered('套卷', set?.items)],
          write: async (tx) => {
            const written = await writeCheckedSet(tx, checked)
            const { added, changed, retired } = written
            return { written, told: `新增 ${added} 套，更新 ${changed}，下架 ${retired}` }
          },
        }
      },
    }),
  },
  exam: {
    what: '考试',
    unit: '题',
    read: (file, json) => ({
      media: NO_MEDIA,
      judge: async (db) => {
        const checked = await checkExam(db, file, json)
        return {
          ...checked,
          numbers: numbered('考试', checked.exam && [checked.exam]),
          write: async (tx) => paperTold('考试', await writeCheckedExam(tx, checked)),
        }
      },
    }),
  },
  course: {
    what: '课程',
    unit: '课',
    read: async (file, json, copies) => {
      const read = await readCourse(file, json, copies)
      return {
        media: read.media,
        judge: async (db, alongside) => {
          const checked = await judgeCourse(db, read)
          const { course } = checked
          if (course) alongside.set(course.no, course)
          return {
            ...checked,
            numbers: course ? numbersOf(course) : [],
            write: async (tx, now) => {
              const written = await writeCheckedCourse(tx, checked, now)
              const { added, changed, retired } = written
              return { written, told: `新增 ${added} 课，更新 ${changed}，下架 ${retired}` }
            },
          }
        },
      }
    },
  },
  package: {
    what: '课程包',
    unit: '门',
    read: async (file, json, copies) => {
      const read = await readPackage(file, json, copies)
      return {
        media: read.media,
        judge: async (db, alongside) => {
          const checked = await judgePackage(db, read, alongside)
          return {
            ...checked,
            numbers: numbered('课程包', checked.pack && [checked.pack]),
            write: async (tx) => {
              const added = await writeCheckedPackage(tx, checked)
              return { written: added ? 'added' : 'changed', told: added ? '新增课程包' : '更新课程包' }
            },
          }
        },
      }
    },
  },
  testing: {
    what: '测评',
    unit: '题',
    read: (file, json) => ({
      media: NO_MEDIA,
      judge: async (db, alongside) => {
        const checked = await checkTesting(db, file, json, alongside)
        return {
          ...checked,
          numbers: numbered('测评', checked.testing && [checked.testing]),
          write: async (tx) => paperTold('测评', await writeCheckedTesting(tx, checked)),
        }
      },
    }),
  },
  news: {
    what: '资讯',
    unit: '条',
    read: (file, json, copies) => {
      const read = readNews(file, json, copies)
      return {
        media: read.media,
        judge: async (db) => {
          const checked = await judgeNews(db, read)
          const { articles = [], calendar, categories = [] } = checked.news ?? {}
          return {
            ...checked,
            numbers: [...articles.map(({ id }) => ({ what: '资讯', no: id })), ...numbered('日程', calendar)],
            tables: categories.map((category) => categoryClaim(category.no)),
            write: async (tx) => {
              const written = await writeCheckedNews(tx, checked)
              return { written, told: `新增 ${written.added} 条，更新 ${written.changed}` }
            },
          }
        },
      }
    },
  },
  vip: {
    what: '会员功能包',
    unit: '个',
    read: (file, json) => ({
      media: NO_MEDIA,
      judge: async (db) => {
        const checked = await checkVip(db, file, json)
        return {
          ...checked,
          numbers: (checked.vip?.packages ?? []).flatMap((each) => [
            ...numbered('会员功能包', [each]),
            ...numbered('会员时长', each.durations),
          ]),
          tables: checked.vip && checked.vip.features.length > 0 ? [FEATURES] : [],
          write: async (tx) => {
            const written = await writeCheckedVip(tx, checked)
            return { written, told: `新增 ${written.added} 个，更新 ${written.changed}` }
          },
        }
      },
    }),
  },
  book: {
    what: '图书',
    unit: '种',
    read: (file, json, copies) => {
      const read = readBooks(file, json, copies)
      return {
        media: read.media,
        judge: async (db) => {
          const checked = await judgeBooks(db, read)
          return {
            ...checked,
            numbers: (checked.books ?? []).flatMap((book) => [
              ...numbered('图书', [book]),
              ...numbered('图书规格', book.variants),
            ]),
            write: async (tx, now) => {
              const written = await writeCheckedBooks(tx, checked, now)
              const { added, changed, copies } = written
              const stock = `库存${copies < 0 ? '减少' : '增加'} ${Math.abs(copies)} 册`
              return { written, told: `新增 ${added} 种，更新 ${changed}，${stock}` }
            },
          }
        },
      }
    },
  },
}
