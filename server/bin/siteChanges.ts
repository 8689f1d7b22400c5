import type { AgreementKind } from '#src/contract/agreement.ts'
import type { Site } from '#src/contract/config.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { AGREEMENT_NAMES } from '#src/domain/app/agreements.ts'
import { putInForce } from '#server/agreement/publish.ts'
import { missingLists, type Source } from '#server/agreement/text.ts'
import { changeLogged, changeSetting, type SettingName, siteSet, type SiteSet } from '#server/config/store.ts'
import { checkBanners } from '#server/content/publish/bannerFile.ts'
import { storeFiles } from '#server/content/media/mediaFiles.ts'
import { type Categories, checkDirections, DIRECTIONS } from '#server/content/publish/directionsFile.ts'
import type { Finding } from '#server/content/draft.ts'
import { checkPage } from '#server/content/publish/pageFile.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'
import { claim } from '#server/content/claimStore.ts'
import type { Db } from '#server/db/open.ts'
import { readStructure, replaceStructure } from '#server/structural/store.ts'

/** What the operator wants changed, checked, and not yet written. */
export interface SiteChange {
  findings: Finding[]
  /** What it comes to, for the operator. */
  told: string
  /** All of it or nothing; null when a fault stands in the way. Gives whether it was anything new. @param at epoch ms */
  make: ((db: Db, at: number) => Promise<boolean>) | null
}

type Change = (before: string | null) => string | null
/** @param prepare puts in place what must be there before the change shows */
const setting =
  (name: SettingName, change: Change, prepare?: () => Promise<void>) =>
  async (db: Db, at: number): Promise<boolean> => {
    await prepare?.()
    return changeSetting(db, name, change, at)
  }

const NOTICE_MAX = 200
const NOTICE_LINES = 4
const fault = (at: string, reason: string): Finding => ({ file: '', at, level: 'fault', reason })
const unless = <T>(findings: readonly Finding[], change: T): T | null =>
  findings.some(({ level }) => level === 'fault') ? null : change

/** `\n` in it, as a shell gives it, is a line's end. '' takes the notice away. */
export function noticeChange(text: string): SiteChange {
  const lines = text
    .replaceAll(String.raw`\n`, '\n')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  const notice = lines.join('\n')
  const findings = [
    ...(notice.length > NOTICE_MAX ? [fault('公告', `${notice.length} 字，最多 ${NOTICE_MAX} 字`)] : []),
    ...(lines.length > NOTICE_LINES ? [fault('公告', `${lines.length} 行，最多 ${NOTICE_LINES} 行`)] : []),
  ]
  const told = notice === '' ? '公告：无' : `公告：${lines.join(' / ')}`
  return {
    findings,
    told,
    make: unless(
      findings,
      setting('notice', () => notice),
    ),
  }
}

type Field = keyof Omit<Site, 'bucket'>
export const FOOTER_NAMES: Record<Field, string> = {
  phone: '客服电话',
  chatId: '客服微信',
  address: '公司地址',
  copyright: '版权',
  filingNo: '备案号',
  company: '运营者',
  policeNo: '公安备案号',
  telecomNo: '增值电信业务经营许可证号',
  publicationNo: '出版物经营许可证号',
  licenceNo: '营业执照号',
}
const FOOTER_MAX: Partial<Record<Field, number>> = { phone: 40, chatId: 40, address: 100, copyright: 100 }
const NUMBER_MAX = 60
/** The command's options set these fields. */
export const FOOTER_OPTIONS = {
  phone: 'phone',
  'chat-id': 'chatId',
  address: 'address',
  copyright: 'copyright',
  'filing-no': 'filingNo',
  company: 'company',
  'police-no': 'policeNo',
  'telecom-no': 'telecomNo',
  'publication-no': 'publicationNo',
  'licence-no': 'licenceNo',
} as const satisfies Record<string, Field>
const FIELDS: readonly Field[] = Object.values(FOOTER_OPTIONS)

function tooLong(field: Field, text: string): Finding[] {
  const most = FOOTER_MAX[field] ?? NUMBER_MAX
  return text.length > most ? [fault(FOOTER_NAMES[field], `最多 ${most} 字`)] : []
}

/** Of the fields that are given; the others stay. Null: all are as the environment has them. */
export function footerChange(given: SiteSet | null): SiteChange {
  if (!given) return { findings: [], told: '页脚：全部取自环境变量', make: setting('footer', () => null) }
  const texts = FIELDS.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field].trim()] as const]))
  const findings = texts.flatMap(([field, text]) => [
    ...tooLong(field, text),
    ...(/[\n\r]/.test(text) ? [fault(FOOTER_NAMES[field], '只能是一行')] : []),
    ...(field === 'phone' && !/^[\d+\-() 转,]*$/.test(text)
      ? [fault(FOOTER_NAMES[field], '只能有数字与 + - ( ) 转')]
      : []),
  ])
  const told = texts.map(([field, text]) => `${FOOTER_NAMES[field]}：${text || '不显示'}`).join('\n')
  const merged = (before: string | null) => {
    const next: SiteSet = { ...siteSet(before), ...Object.fromEntries(texts) }
    // In one order, so that the same fields are no change.
    return JSON.stringify(Object.fromEntries(FIELDS.flatMap((field) => (field in next ? [[field, next[field]]] : []))))
  }
  return { findings, told, make: unless(findings, setting('footer', merged)) }
}

/** @param file null: the product's own. @param at since when it stands, epoch ms. */
export async function promiseChange(file: string | null, at: number, mediaDir: string): Promise<SiteChange> {
  if (file === null) return { findings: [], told: '平台承诺：恢复默认', make: setting('promise', () => null) }
  const { page: promise, pictures, findings } = await checkPage(file, at)
  const told = promise ? `平台承诺：${promise.title}，${plainText(promise.html).length} 字` : '平台承诺'
  if (!promise) return { findings, told, make: null }
  const change: Change = (before) => (isSame(before, promise) ? before : JSON.stringify(promise))
  return { findings, told, make: setting('promise', change, () => storeFiles(mediaDir, pictures)) }
}

/** The same text again has its first date. */
function isSame(before: string | null, { title, html }: { title: string; html: string }): boolean {
  const was: { title: string; html: string } | null = JSON.parse(before ?? 'null')
  return was !== null && was.title === title && was.html === html
}

/** @param file null: none. */
export async function bannersChange(db: Db, file: string | null, mediaDir: string): Promise<SiteChange> {
  if (file === null) return { findings: [], told: '首页轮播：无', make: setting('banners', () => '[]') }
  const { banners, pictures, findings } = await checkBanners(file, mediaDir)
  await judgeScopes(
    db,
    (banners ?? []).map(({ directions, areas }, i) => ({ at: `banners[${i}]`, directions, areas })),
    (level, at, reason) => findings.push({ file, level, at, reason }),
  )
  const titles = banners?.map(({ title }, i) => `\n  ${i + 1}. ${title}`).join('') ?? ''
  const make = setting(
    'banners',
    () => JSON.stringify(banners),
    () => storeFiles(mediaDir, pictures),
  )
  return {
    findings,
    told: banners ? `首页轮播：${banners.length} 张${titles}` : '首页轮播',
    make: banners && unless(findings, make),
  }
}

/** @param file the whole list. */
export async function directionsChange(db: Db, file: string): Promise<SiteChange> {
  const { categories, findings } = await checkDirections(db, file)
  const names = categories?.map(
    ({ name, directions }) => `\n  ${name}：${directions.map((each) => each.name).join('、')}`,
  )
  return {
    findings,
    told: `报考方向${names?.join('') ?? ''}`,
    make: categories && ((db, at) => setDirections(db, categories, at)),
  }
}

const setDirections = (db: Db, categories: Categories, at: number): Promise<boolean> =>
  changeLogged(db, 'directions', at, {
    read: async (tx) => JSON.stringify(await readStructure(tx)),
    async write(tx, after) {
      await replaceStructure(tx, JSON.parse(after) as Categories)
      await claim(tx, 'operator', [DIRECTIONS], at)
    },
    change: () => JSON.stringify(categories),
  })

/** @param file null: the product's own. @param changes what is other, in the operator's words */
export async function agreementChange(
  kind: AgreementKind,
  file: string | null,
  changes: string | undefined,
  mediaDir: string,
): Promise<SiteChange> {
  const name = AGREEMENT_NAMES[kind]
  const put = (source: Source | null, prepare?: () => Promise<void>) => async (db: Db, at: number) => {
    await prepare?.()
    return (await putInForce(db, { kind, source, ...(changes && { changes }) }, at)) !== null
  }
  if (file === null) return { findings: [], told: `${name}：恢复默认，成为新的版本`, make: put(null) }
  const { page, pictures, findings } = await checkPage(file, 0)
  for (const list of page ? missingLists(kind, page.html) : [])
    findings.push({ file, at: '正文', level: 'fault', reason: `缺少清单：请让 {{${list}}} 单独成为一段` })
  const told = page ? `${name}：${page.title}，${plainText(page.html).length} 字，成为新的版本` : name
  const source = page && { title: page.title, html: page.html }
  return {
    findings,
    told,
    make:
      source &&
      unless(
        findings,
        put(source, () => storeFiles(mediaDir, pictures)),
      ),
  }
}
