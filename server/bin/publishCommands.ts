import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkCourse, numbersOf } from '#server/content/courseFile.ts'
import { exportCourse, giveFiles, writeCheckedCourse } from '#server/content/coursePublish.ts'
import type { Finding } from '#server/content/draft.ts'
import { checkBooks, exportBooks, writeCheckedBooks } from '#server/content/bookFile.ts'
import { checkExam, exportExam, writeCheckedExam } from '#server/content/examFile.ts'
import { type CheckedNews, checkNews, exportNews, writeCheckedNews } from '#server/content/newsFile.ts'
import { sweepLessons } from '#server/content/lessonShelf.ts'
import { checkPackage, exportPackage, writeCheckedPackage } from '#server/content/packageFile.ts'
import { type Published, reportTwice } from '#server/content/paperFile.ts'
import { checkSets, exportSet, faultsOf, writeSets } from '#server/content/setFile.ts'
import { checkTesting, exportTesting, writeCheckedTesting } from '#server/content/testingFile.ts'
import { lockImports } from '#server/content/store.ts'
import { checkVip, exportVip, writeCheckedVip } from '#server/content/vipFile.ts'
import { readRevs } from '#server/course/store.ts'
import type { Db, Tx } from '#server/db/open.ts'

export interface Told {
  code: number
  lines: string[]
}
export interface PublishFile {
  file: string
  kind: Published
}
/** A file that was checked, and how it is published. */
interface Taken {
  file: string
  what: string
  /** What is counted. */
  unit?: string
  total: number
  findings: Finding[]
  write: (tx: Tx) => Promise<Written>
}
interface Written {
  written: object | string
  told: string
}

/** Checks files against the database and, for `import`, publishes all of them or none. */
export async function takePublished(
  db: Db,
  command: string,
  files: readonly PublishFile[],
  asJson: boolean,
  mediaDir: string,
): Promise<Told> {
  const told = await db.transaction().execute(async (tx) => {
    if (command === 'import') await lockImports(tx)
    const taken = await check(tx, files, mediaDir)
    const faults = taken.flatMap(({ findings }) => faultsOf(findings))
    const written: Written[] = []
    if (command === 'import' && faults.length === 0) for (const each of taken) written.push(await each.write(tx))
    const code = faults.length > 0 ? 1 : 0
    if (asJson) {
      const summary = taken.map(({ file, total, findings }, i) => {
        return { file, total, findings, written: written[i]?.written ?? null }
      })
      return { code, lines: [JSON.stringify(summary)] }
    }
    const lines = taken.flatMap((each, i) => toldOf(each, written[i]))
    const nothing = command === 'import' && code > 0 ? ['有错误，未发布任何内容。改正后重试。'] : []
    return { code, lines: [...lines, ...nothing] }
  })
  if (command === 'import' && files.some(({ kind }) => kind === 'course'))
    // Not while another import puts files in place that no lesson names yet.
    await db.transaction().execute(async (tx) => {
      await lockImports(tx)
      await sweepLessons(mediaDir, await readRevs(tx), Date.now())
    })
  return told
}

const toldOf = ({ file, what, unit = '题', total, findings }: Taken, written: Written | undefined): string[] => [
  `${file}：${what}，共 ${total} ${unit}，错误 ${faultsOf(findings).length}，提醒 ${findings.length - faultsOf(findings).length}`,
  ...findings.map(({ level, at, reason }) => `  ${level === 'fault' ? '错误' : '提醒'} ${at}：${reason}`),
  ...(written ? [`${file}：${written.told}`] : []),
]

async function check(tx: Tx, files: readonly PublishFile[], mediaDir: string): Promise<Taken[]> {
  const of = (kind: Published) =>
    Promise.all(
      files
        .filter((each) => each.kind === kind)
        .map(async ({ file }) => ({ file, json: JSON.parse(await readFile(file, 'utf8')) as unknown })),
    )
  const sets = (await checkSets(tx, await of('set'))).map((set): Taken => {
    const write = async (on: Tx): Promise<Written> => {
      const [done] = await writeSets(on, [set])
      return { written: done ?? {}, told: `新增 ${done?.added} 套，更新 ${done?.changed}，下架 ${done?.retired}` }
    }
    return { ...set, what: '题集', write }
  })
  const exams = await each(await of('exam'), (file, json) => checkExam(tx, file, json))
  const testings = await each(await of('testing'), (file, json) => checkTesting(tx, file, json))
  const news = await each(await of('news'), (file, json) => checkNews(tx, file, json))
  reportTwice(
    '资讯',
    news.flatMap((one) => [...new Set(numbersIn(one))].map((no) => ({ ...one, no }))),
  )
  reportTwice(
    '考试',
    exams.flatMap((one) => (one.exam ? [{ ...one, no: one.exam.no }] : [])),
  )
  reportTwice(
    '测评',
    testings.flatMap((one) => (one.testing ? [{ ...one, no: one.testing.no }] : [])),
  )
  return [
    ...sets,
    ...exams.map((one) => taken('考试', one, (on) => writeCheckedExam(on, one))),
    ...testings.map((one) => taken('测评', one, (on) => writeCheckedTesting(on, one))),
    ...(await checkCourses(tx, await of('course'), await of('package'), mediaDir)),
    ...news.map((one): Taken => {
      const write = async (on: Tx): Promise<Written> => {
        const written = await writeCheckedNews(on, one, mediaDir)
        return { written, told: `新增 ${written.added} 条，更新 ${written.changed}` }
      }
      return { ...one, what: '资讯', unit: '条', write }
    }),
    ...(await checkShop(tx, { vip: await of('vip'), book: await of('book') }, mediaDir)),
  ]
}

type Source = { file: string; json: unknown }

/** Courses, and packages of these and of those that are there already. */
async function checkCourses(
  tx: Tx,
  courses: readonly Source[],
  packages: readonly Source[],
  mediaDir: string,
): Promise<Taken[]> {
  const read = await each(courses, (file, json) => checkCourse(tx, file, json))
  const prices = new Map(read.flatMap(({ course }) => (course ? [[course.no, course.price] as const] : [])))
  const packs = await each(packages, (file, json) => checkPackage(tx, file, json, prices))
  const numbers = read.map((one) => (one.course ? numbersOf(one.course).map(({ no }) => ({ ...one, no })) : []))
  reportTwice('课程', numbers.flat())
  reportTwice(
    '课程包',
    packs.flatMap((one) => (one.pack ? [{ ...one, no: one.pack.no }] : [])),
  )
  return [
    ...read.map((one): Taken => {
      const write = async (on: Tx): Promise<Written> => {
        const written = await writeCheckedCourse(on, one, { mediaDir, now: Date.now() })
        const { added, changed, retired } = written
        return { written, told: `新增 ${added} 课，更新 ${changed}，下架 ${retired}` }
      }
      return { ...one, what: '课程', unit: '课', write }
    }),
    ...packs.map((one): Taken => {
      const write = async (on: Tx): Promise<Written> => {
        const added = await writeCheckedPackage(on, one, mediaDir)
        return { written: added ? 'added' : 'changed', told: added ? '新增课程包' : '更新课程包' }
      }
      return { ...one, what: '课程包', unit: '门', write }
    }),
  ]
}

/** VIP packages and books. */
async function checkShop(tx: Tx, files: Record<'vip' | 'book', readonly Source[]>, mediaDir: string): Promise<Taken[]> {
  const vips = await each(files.vip, (file, json) => checkVip(tx, file, json))
  const books = await each(files.book, (file, json) => checkBooks(tx, file, json))
  reportTwice(
    '会员功能包',
    vips.flatMap((one) => distinct(one.vip?.packages).map((no) => ({ ...one, no }))),
  )
  reportTwice(
    '图书',
    books.flatMap((one) => distinct(one.books).map((no) => ({ ...one, no }))),
  )
  return [
    ...vips.map((one): Taken => {
      const write = async (on: Tx): Promise<Written> => {
        const written = await writeCheckedVip(on, one)
        return { written, told: `新增 ${written.added} 个，更新 ${written.changed}` }
      }
      return { ...one, what: '会员功能包', unit: '个', write }
    }),
    ...books.map((one): Taken => {
      const write = async (on: Tx): Promise<Written> => {
        const written = await writeCheckedBooks(on, one, mediaDir, Date.now())
        const { added, changed, copies } = written
        return {
          written,
          told: `新增 ${added} 种，更新 ${changed}，库存${copies < 0 ? '减少' : '增加'} ${Math.abs(copies)} 册`,
        }
      }
      return { ...one, what: '图书', unit: '种', write }
    }),
  ]
}

const distinct = (rows: readonly { no: string }[] | null | undefined): string[] => [
  ...new Set(rows?.map(({ no }) => no)),
]
const numbersIn = ({ news }: CheckedNews): string[] => [
  ...(news?.articles ?? []).map(({ id }) => id),
  ...(news?.calendar ?? []).map(({ no }) => no),
]

/** One after another: they share a connection. */
async function each<C>(files: readonly Source[], checkOne: (file: string, json: unknown) => Promise<C>): Promise<C[]> {
  const checked: C[] = []
  for (const { file, json } of files) checked.push(await checkOne(file, json))
  return checked
}

const TOLD = { changed: '更新试卷', same: '试卷没有变化' }
const taken = (
  what: string,
  checked: Omit<Taken, 'what' | 'write'>,
  publish: (tx: Tx) => Promise<'added' | keyof typeof TOLD>,
): Taken => ({
  ...checked,
  what,
  write: async (tx) => {
    const written = await publish(tx)
    return { written, told: written === 'added' ? `新增${what}` : TOLD[written] }
  },
})

/** What is published as the file that would publish it again, into a file or told; what it names is put beside it. */
export async function givePublished(db: Db, no: string, file: string | undefined, mediaDir: string): Promise<Told> {
  const course = (await exportCourse(db, no)) ?? (await exportPackage(db, no))
  const set = course ? null : await exportSet(db, no)
  const found = course?.json ?? set ?? (await exportOther(db, no))
  if (!found) return { code: 1, lines: [`没有编号为 ${no} 的内容`] }
  const text = `${JSON.stringify(found, null, 2)}\n`
  if (!file) return { code: 0, lines: [text] }
  await writeFile(file, text)
  if (course) await giveFiles(mediaDir, path.dirname(file), course.files)
  const holds = set ? `：${set.items.length} 套` : course ? `，音视频等 ${course.files.length} 个文件在旁边` : ''
  return { code: 0, lines: [`已写入 ${file}${holds}`] }
}

const exportOther = async (db: Db, no: string): Promise<object | null> =>
  (await exportExam(db, no)) ??
  (await exportTesting(db, no)) ??
  (await exportNews(db, no)) ??
  (await exportBooks(db, no)) ??
  (await exportVip(db, no))
