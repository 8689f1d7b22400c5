import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Site } from '#src/contract/config.ts'
import { readSetting, type SiteSet, writeSetting } from '#server/config/store.ts'
import { checkBanners } from '#server/content/publish/bannerFile.ts'
import { storeFiles } from '#server/content/media/mediaFiles.ts'
import { buildPapers } from '#server/content/publish/blueprint.ts'
import { EXAM_FORMAT } from '#server/content/publish/examFile.ts'
import type { Checked } from '#server/content/bank/checked.ts'
import { checkFile, writeChecked } from '#server/content/bank/import.ts'
import { DIRECTIONS } from '#server/content/publish/directionsFile.ts'
import { FEATURES } from '#server/content/publish/publishedKinds.ts'
import type { Source } from '#server/content/publish/publish.ts'
import { SET_FORMAT } from '#server/content/publish/setFile.ts'
import { readClaims } from '#server/content/claimStore.ts'
import type { Placed } from '#server/content/draft.ts'
import { TESTING_FORMAT } from '#server/content/publish/testingFile.ts'
import { LOCKS } from '#server/db/locks.ts'
import type { Db } from '#server/db/open.ts'
import { hashPassword } from '#server/login/argon2.ts'
import { findOrCreateStudent } from '#server/login/store.ts'
import { writeStructure } from '#server/structural/store.ts'
import { courseFiles } from './courses.ts'
import { giveDemoCoupons } from './coupons.ts'
import { demoExams } from './exams.ts'
import { writeParticipants } from './participants.ts'
import { besideOperator, claimable, type DemoRun, publishDemo } from './publishDemo.ts'
import { demoSets } from './sets.ts'
import { BOOKS, shopFiles, VIP } from './shop.ts'
import { DEMO_MOBILE, DEMO_PASSWORD } from './account.ts'
import { structure } from './structure.ts'
import { demoTestings } from './testings.ts'

const FOLDER = path.join(import.meta.dirname, 'content')
const COUPONS = path.join(import.meta.dirname, 'coupons.json')
const BANNERS = path.join(import.meta.dirname, 'banners/banners.json')
/** How they are made up is of a version, too: it mends what older ones have left. */
const PARTICIPANTS = path.join(import.meta.dirname, 'participants.ts')
const NEWS = path.join(import.meta.dirname, 'news/news.json')
const SEEDED = 'demo.seeded'
const NOTICE = '系统将于周日 02:00–04:00 维护，离线刷题不受影响。'
/** Nobody is reached by these: each is an example at first sight. */
const FOOTER = {
  phone: '400-000-0000',
  chatId: 'lijian-example（示例）',
  address: '示例市示例区示例路 1 号',
  filingNo: '示例ICP备00000000号-1',
  company: '示例教育科技有限公司（示例）',
} satisfies SiteSet

interface DemoOptions {
  mediaDir: string
  say: (line: string) => void
  /** What the environment says of the footer: the demo's examples leave it alone. */
  site?: Site
}

/** Puts the demo content in place, once for each version of it: a later start, or one at the same moment, only compares a hash. */
export async function importDemo(db: Db, options: DemoOptions): Promise<void> {
  await db.transaction().execute(async (turn) => {
    // The imports in it take their own turns.
    await sql`select pg_advisory_xact_lock(${LOCKS.demo})`.execute(turn)
    await importNewer(db, options)
  })
}

async function importNewer(db: Db, { mediaDir, say, site }: DemoOptions): Promise<void> {
  const files = (await readdir(FOLDER))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(FOLDER, name))
  const courses = await courseFiles()
  const hash = createHash('sha256')
  hash.update(JSON.stringify([FOOTER, structure, demoSets, demoExams, demoTestings]))
  for (const file of [...files, NEWS, BANNERS, COUPONS, PARTICIPANTS, ...(await shopFiles()), ...courses])
    hash.update(path.relative(FOLDER, file)).update(await readFile(file))
  const version = hash.digest('hex')
  const seeded = await db.selectFrom('setting').select('value').where('key', '=', SEEDED).executeTakeFirst()
  if (seeded?.value === version) return

  say('正在导入演示内容…')
  // What the operator has set stays.
  if (!(await readClaims(db)).has(DIRECTIONS)) await writeStructure(db, structure)
  const checked = await Promise.all(files.map((file) => checkFile(file, null)))
  for (const { findings } of checked)
    for (const f of findings) if (f.level === 'fault') throw new Error(`${f.file} ${f.at} ${f.reason}`)
  const sources = [...papers(checked), ...(await besidePapers(checked, courses))]
  const own = [FEATURES, ...checked.flatMap(({ bank }) => bank?.library.no ?? []), ...claimable(sources)]
  const run: DemoRun = { db, mediaDir, say, own: new Set(own) }
  const questions = await publishBanks(run, checked)
  const published = new Set<string>()
  for (const source of sources) if (await publishDemo(run, source)) published.add(source.file)
  for (const { paper, participants } of demoExams)
    if (participants && published.has(paper.no))
      await db.transaction().execute((tx) => writeParticipants(tx, paper.no, participants))
  // What the operator has set, none among it, stays.
  if ((await readSetting(db, 'banners')) === null) await setBanners(db, mediaDir)
  if ((await readSetting(db, 'footer')) === null) await setFooter(db, site)
  if (!seeded) await welcome(db)
  await giveDemoCoupons(db, COUPONS, DEMO_MOBILE)
  await db
    .insertInto('setting')
    .values({ key: SEEDED, value: version })
    .onConflict((c) => c.column('key').doUpdateSet({ value: version }))
    .execute()
  say(`已导入 ${questions} 道演示题目`)
}

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))

/** The notice and the demo's student. */
async function welcome(db: Db): Promise<void> {
  // Not in the log: that tells what the operator has changed.
  await writeSetting(db, 'notice', NOTICE)
  const uid = await findOrCreateStudent(db, DEMO_MOBILE, 'demo0001', Date.now())
  await db
    .updateTable('student')
    .set({ password: await hashPassword(DEMO_PASSWORD) })
    .where('uid', '=', uid)
    .execute()
}

async function setFooter(db: Db, site: Partial<Site> = {}): Promise<void> {
  const examples = Object.entries(FOOTER).filter(
    ([field]) => !Object.entries(site).some(([key, text]) => key === field && text),
  )
  await writeSetting(db, 'footer', JSON.stringify(Object.fromEntries(examples)))
}

async function setBanners(db: Db, mediaDir: string): Promise<void> {
  const { banners, pictures, findings } = await checkBanners(BANNERS, mediaDir)
  for (const { at, reason } of findings) throw new Error(`${BANNERS} ${at} ${reason}`)
  await storeFiles(mediaDir, pictures)
  await writeSetting(db, 'banners', JSON.stringify(banners))
}

/** @returns how many questions. */
const publishBanks = ({ db, mediaDir }: DemoRun, checked: readonly Checked[]): Promise<number> =>
  besideOperator(db, async (claims) => {
    const own = checked.filter(({ bank }) => bank && !claims.has(bank.library.no))
    await writeChecked(db, own, mediaDir, true, { at: Date.now(), by: { claims }, note: '演示内容' })
    return own.reduce((n, { placed }) => n + placed.length, 0)
  })

const placedIn = (checked: readonly Checked[], libraries: readonly string[]): Placed[] =>
  libraries.flatMap((library) => checked.find(({ bank }) => bank?.library.no === library)?.placed ?? [])

/** Fills the demo's blueprints of sets and exams from its libraries. */
const papers = (checked: readonly Checked[]): Source[] => [
  ...demoSets.map(({ libraries, papers, ...set }) => {
    const json = { format: SET_FORMAT, ...set, items: buildPapers(papers, placedIn(checked, libraries)) }
    return { file: set.no, kind: 'set' as const, json }
  }),
  ...demoExams.map((each) => {
    const { libraries, paper, participants: _, ...exam } = each
    const json = { format: EXAM_FORMAT, ...exam, ...buildPapers([paper], placedIn(checked, libraries))[0] }
    return { file: paper.no, kind: 'exam' as const, json }
  }),
]

/** The rest, in an order in which what is named comes first: testings name units of courses, books durations of VIP. */
const besidePapers = async (checked: readonly Checked[], courses: readonly string[]): Promise<Source[]> => [
  ...(await readSources(courses, 'course')),
  ...(await readSources(courses, 'package')),
  ...testings(checked),
  { file: NEWS, kind: 'news', json: await readJson(NEWS) },
  { file: VIP, kind: 'vip', json: await readJson(VIP) },
  { file: BOOKS, kind: 'book', json: await readJson(BOOKS) },
]

const testings = (checked: readonly Checked[]): Source[] =>
  demoTestings.map(({ libraries, paper, guides, minutes, ...testing }) => {
    const [filled] = buildPapers([paper], placedIn(checked, libraries))
    const sections = filled?.sections.map((section, i) => ({ ...section, guide: guides[i] ?? [] }))
    const json = { format: TESTING_FORMAT, ...filled, ...testing, minutes, sections }
    return { file: paper.no, kind: 'testing', json }
  })

/** Of the files of courses those that are one, or a package of some. */
const readSources = (files: readonly string[], kind: 'course' | 'package'): Promise<Source[]> =>
  Promise.all(
    files
      .filter((file) => path.basename(file) === `${kind}.json`)
      .map(async (file) => ({ file, kind, json: await readJson(file) })),
  )
