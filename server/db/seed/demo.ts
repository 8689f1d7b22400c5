import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { changeSetting, readSetting, writeSetting } from '#server/config/store.ts'
import { checkBanners } from '#server/content/bannerFile.ts'
import { storeFiles } from '#server/content/besides.ts'
import { buildPapers } from '#server/content/blueprint.ts'
import { type Checked, checkFile, writeChecked } from '#server/content/import.ts'
import { checkExam, EXAM_FORMAT, writeCheckedExam } from '#server/content/examFile.ts'
import { checkSet, SET_FORMAT, writeSets } from '#server/content/setFile.ts'
import { checkNews, writeCheckedNews } from '#server/content/newsFile.ts'
import { checkTesting, TESTING_FORMAT, writeCheckedTesting } from '#server/content/testingFile.ts'
import { lockImports } from '#server/content/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { hashPassword } from '#server/login/handlers.ts'
import { findOrCreateStudent } from '#server/login/store.ts'
import { writeStructure } from '#server/structural/store.ts'
import { type DemoCourses, publishCourses, readCourses } from './courses.ts'
import { demoExams } from './exams.ts'
import { handouts, placeHandouts } from './handouts.ts'
import { writeParticipants } from './participants.ts'
import { demoSets } from './sets.ts'
import { publishShop, shopFiles } from './shop.ts'
import { structure } from './structure.ts'
import { demoTestings } from './testings.ts'

const FOLDER = path.join(import.meta.dirname, 'content')
const BANNERS = path.join(import.meta.dirname, 'banners/banners.json')
const NEWS = path.join(import.meta.dirname, 'news/news.json')
const SEEDED = 'demo.seeded'
const DEMO_MOBILE = '13800000001'
const DEMO_PASSWORD = 'lijian2026'
const NOTICE = '系统将于周日 02:00–04:00 维护，离线刷题不受影响。'

interface DemoOptions {
  mediaDir: string
  say: (line: string) => void
}

/** Held while the demo is put in place; the imports in it take their own turns. */
const DEMO_LOCK = 20_260_003

/** Puts the demo content in place, once for each version of it: a later start, or one at the same moment, only compares a hash. */
export async function importDemo(db: Db, options: DemoOptions): Promise<void> {
  await db.transaction().execute(async (turn) => {
    await sql`select pg_advisory_xact_lock(${DEMO_LOCK})`.execute(turn)
    await importNewer(db, options)
  })
}

async function importNewer(db: Db, { mediaDir, say }: DemoOptions): Promise<void> {
  const files = (await readdir(FOLDER))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(FOLDER, name))
  const hash = createHash('sha256')
  hash.update(JSON.stringify([structure, demoSets, demoExams, demoTestings, handouts]))
  for (const file of [...files, NEWS, BANNERS, ...(await shopFiles())]) hash.update(await readFile(file))
  const courses = await readCourses()
  for (const file of courses.files) hash.update(file).update(await readFile(path.join(courses.folder, file)))
  const version = hash.digest('hex')
  const seeded = await db.selectFrom('setting').select('value').where('key', '=', SEEDED).executeTakeFirst()
  if (seeded?.value === version) return

  say('正在导入演示内容…')
  await writeStructure(db, structure)
  const checked = await Promise.all(files.map((file) => checkFile(file, null)))
  for (const { findings } of checked)
    for (const f of findings) if (f.level === 'fault') throw new Error(`${f.file} ${f.at} ${f.reason}`)
  await placeHandouts(mediaDir)
  await writeChecked(db, checked, mediaDir, true)
  await publish(db, checked, courses, mediaDir)
  await publishNews(db, mediaDir)
  await publishing(db, (tx) => publishShop(tx, mediaDir))
  // What the operator has set, none among it, stays.
  if ((await readSetting(db, 'banners')) === null) await setBanners(db, mediaDir)
  if (!seeded) {
    await changeSetting(db, 'notice', () => NOTICE, Date.now())
    const uid = await findOrCreateStudent(db, DEMO_MOBILE, 'demo0001', Date.now())
    await db
      .updateTable('student')
      .set({ password: await hashPassword(DEMO_PASSWORD) })
      .where('uid', '=', uid)
      .execute()
  }
  await db
    .insertInto('setting')
    .values({ key: SEEDED, value: version })
    .onConflict((c) => c.column('key').doUpdateSet({ value: version }))
    .execute()
  say(`已导入 ${checked.reduce((n, c) => n + c.placed.length, 0)} 道演示题目`)
}

async function setBanners(db: Db, mediaDir: string): Promise<void> {
  const { banners, pictures, findings } = await checkBanners(BANNERS, mediaDir)
  for (const { at, reason } of findings) throw new Error(`${BANNERS} ${at} ${reason}`)
  await storeFiles(mediaDir, pictures)
  await writeSetting(db, 'banners', JSON.stringify(banners))
}

/** Fills the demo's blueprints from the libraries that were just imported, and publishes them like an operator's files. */
async function publish(db: Db, checked: readonly Checked[], courses: DemoCourses, mediaDir: string): Promise<void> {
  const placedIn = (library: string) => checked.find(({ bank }) => bank?.library.no === library)?.placed ?? []
  await publishing(db, async (tx) => {
    for (const { library, papers, ...set } of demoSets) {
      const json = { format: SET_FORMAT, ...set, items: buildPapers(papers, placedIn(library)) }
      await writeSets(tx, [await checkSet(tx, set.no, json)])
    }
    for (const { library, paper, participants, ...exam } of demoExams) {
      const json = { format: EXAM_FORMAT, ...exam, ...buildPapers([paper], placedIn(library))[0] }
      await writeCheckedExam(tx, await checkExam(tx, paper.no, json))
      if (participants) await writeParticipants(tx, paper.no, participants)
    }
    // Testings name units of courses.
    await publishCourses(tx, courses, mediaDir)
    for (const { libraries, paper, guides, minutes, ...testing } of demoTestings) {
      const [filled] = buildPapers([paper], libraries.flatMap(placedIn))
      const sections = filled?.sections.map((section, i) => ({ ...section, guide: guides[i] ?? [] }))
      const json = { format: TESTING_FORMAT, ...filled, ...testing, minutes, sections }
      await writeCheckedTesting(tx, await checkTesting(tx, paper.no, json))
    }
  })
}

async function publishNews(db: Db, mediaDir: string): Promise<void> {
  const json: unknown = JSON.parse(await readFile(NEWS, 'utf8'))
  await publishing(db, async (tx) => writeCheckedNews(tx, await checkNews(tx, NEWS, json), mediaDir))
}

/** Not while an operator imports. */
const publishing = <T>(db: Db, publish: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await lockImports(tx)
    return publish(tx)
  })
