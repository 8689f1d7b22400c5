import { copyFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AGREEMENT_KINDS, type AgreementKind } from '#src/contract/agreement.ts'
import type { Site } from '#src/contract/config.ts'
import type { SiteSet } from '#server/config/store.ts'
import { readInForce } from '#server/agreement/store.ts'
import { ownSource } from '#server/agreement/text.ts'
import { readPromise } from '#server/config/store.ts'
import { exportBanners } from '#server/content/publish/bannerFile.ts'
import { exportDirections } from '#server/content/publish/directionsFile.ts'
import { exportPage } from '#server/content/publish/pageFile.ts'
import type { Db } from '#server/db/open.ts'
import { type Environment, siteOf } from '#server/environment.ts'
import { readBanners } from '#server/home/store.ts'
import { readStructure } from '#server/structural/store.ts'
import { finish, misuse, readCommand, readSettings } from './commandLine.ts'
import { withDatabase } from './database.ts'
import {
  agreementChange,
  bannersChange,
  directionsChange,
  FOOTER_OPTIONS,
  footerChange,
  noticeChange,
  promiseChange,
  type SiteChange,
} from './siteChanges.ts'
import { readChanges, readShown, toldChanges, toldShown } from './siteShown.ts'

const HELP = `用法：npm run site -- <命令> [选项]

命令
  show [--log]              现在的公告、页脚、平台承诺、首页轮播、报考方向与协议；--log 看改动记录（时间、改前、改后）
  notice 文字 | --clear      站点公告，最多 200 字、4 行（\\n 换行）；--clear 撤下
  footer [选项] | --default  页脚：--phone 客服电话 --chat-id 客服微信 --address 地址 --copyright 版权 --filing-no 备案号
                            --company 运营者 --police-no 公安备案号 --telecom-no 增值电信业务经营许可证号
                            --publication-no 出版物经营许可证号 --licence-no 营业执照号（统一社会信用代码）
                            给出的才改，给空文字 "" 为不显示；--default 全部取自环境变量
  promise 文件.html | --default   平台承诺：<h1> 是标题；--default 恢复默认
  banners 文件.json | --clear     首页轮播（格式见 docs/site.md），图片放在文件旁边
  directions 文件.json        报考方向的全部类别与方向（格式见 docs/site.md）；文件里没有的撤下，还有内容在用的不能撤
  agreement user|privacy 文件.html [--changes "改了什么"] | --default
                            用户协议、隐私政策的新版本，旧版本一直可以查看；--default 恢复默认的文字
  export banners|promise|directions [文件]    写成文件，改后可再设置；不写文件名则打印
  export agreement user|privacy [文件]        同上
  check <以上任一改动>          只检查，不改动，如 check banners 文件.json

选项
  --json   show 以 JSON 输出

改动立即生效：正在运行的服务不用重启。全部成功或全部不变，每次改动都有记录。
环境变量 DATA_DIR、DATABASE_URL、SITE_* 与服务端相同。
退出码：0 成功，1 有错误，2 用法不对。`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const footer = {
  phone: text,
  'chat-id': text,
  address: text,
  copyright: text,
  'filing-no': text,
  company: text,
  'police-no': text,
  'telecom-no': text,
  'publication-no': text,
  'licence-no': text,
} satisfies Record<keyof typeof FOOTER_OPTIONS, typeof text>
const { values, asJson, ...asked } = readCommand(HELP, {
  clear: flag,
  default: flag,
  log: flag,
  changes: text,
  ...footer,
})
const dry = asked.command === 'check'
const [command = '', ...rest] = dry ? asked.words : [asked.command, ...asked.words]
const env = readSettings()
const mediaDir = path.resolve(env.DATA_DIR, 'media')
const now = Date.now()

if (command === 'show' && !dry && rest.length === 0) finish(0, await withDatabase(env, (db) => show(db, siteOf(env))))
if (command === 'export' && !dry) {
  const [what, file, ...more] = rest
  if (what === 'agreement') finish(0, await withDatabase(env, (db) => giveAgreement(db, file, more)))
  if ((what !== 'banners' && what !== 'promise' && what !== 'directions') || more.length > 0)
    misuse('export 的内容是 banners、promise、directions 或 agreement，之后至多一个文件名', command)
  finish(0, await withDatabase(env, (db) => give(db, what, file)))
}
const wanted = await change(env)
if (!wanted)
  misuse(command === 'notice' && rest.length > 1 ? '公告中间有空格，要加引号' : '少了、多了或写错了什么', command)
const told = wanted.findings.map(
  ({ file, at, level, reason }) =>
    `${level === 'fault' ? '错误' : '提醒'} ${[file, at].filter(Boolean).join(' ')}：${reason}`,
)
const { make } = wanted
if (!make) finish(1, [...told, '有错误，未改动。'].join('\n'))
const isNew = !dry && (await withDatabase(env, (db) => make(db, now)))
const outcome = dry ? '检查通过，未改动。' : isNew ? '已生效。' : '与现在相同，未改动。'
finish(0, [...told, wanted.told, outcome].join('\n'))

/** Null: wrong use. */
async function change(on: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>): Promise<SiteChange | null> {
  const [given, ...more] = rest
  if (command === 'agreement') return agreementOf(given, more)
  if (more.length > 0) return null
  const { clear = false, default: reset = false } = values
  const one = (none: boolean) => (given === undefined) === none
  if (command === 'notice' && one(clear) && !reset) return noticeChange(given ?? '')
  if (command === 'promise' && one(reset) && !clear) return promiseChange(given ?? null, now, mediaDir)
  if (command === 'banners' && one(clear) && !reset)
    return withDatabase(on, (db) => bannersChange(db, given ?? null, mediaDir))
  if (command === 'directions' && given !== undefined && !clear && !reset)
    return withDatabase(on, (db) => directionsChange(db, given))
  const fields: SiteSet = Object.fromEntries(
    Object.entries(FOOTER_OPTIONS).flatMap(([option, field]) => {
      const text = values[option as keyof typeof FOOTER_OPTIONS]
      return text === undefined ? [] : [[field, text]]
    }),
  )
  const none = Object.keys(fields).length === 0
  return command === 'footer' && given === undefined && none === reset && !clear
    ? footerChange(reset ? null : fields)
    : null
}

function kindOf(word: string | undefined): AgreementKind | undefined {
  return AGREEMENT_KINDS.find((kind) => kind === word)
}

async function agreementOf(word: string | undefined, [file, ...more]: readonly string[]): Promise<SiteChange | null> {
  const kind = kindOf(word)
  const { default: reset = false, changes } = values
  if (!kind || more.length > 0 || reset !== (file === undefined)) return null
  return agreementChange(kind, file ?? null, changes, mediaDir)
}

/** The text as it was set, with its placeholders. */
async function giveAgreement(db: Db, word: string | undefined, [file, ...more]: readonly string[]): Promise<string> {
  const kind = kindOf(word)
  if (!kind || more.length > 0) misuse('export agreement 之后是 user 或 privacy，再至多一个文件名', command)
  const text = exportPage((await readInForce(db, kind))?.source ?? (await ownSource(kind)))
  if (!file) return text
  await writeFile(file, text)
  return `已写入 ${file}`
}

async function show(db: Db, defaults: Site): Promise<string> {
  if (values.log) {
    const changes = await readChanges(db)
    return asJson ? JSON.stringify(changes) : toldChanges(changes)
  }
  const shown = await readShown(db, defaults)
  return asJson ? JSON.stringify(shown) : toldShown(shown)
}

/** Banners with their pictures beside the file. */
async function give(db: Db, what: 'banners' | 'promise' | 'directions', file: string | undefined): Promise<string> {
  const banners = what === 'banners' ? await readBanners(db) : []
  const json = what === 'directions' ? exportDirections(await readStructure(db)) : exportBanners(banners)
  const text = what === 'promise' ? exportPage(await readPromise(db)) : `${JSON.stringify(json, null, 2)}\n`
  if (!file) return text
  await writeFile(file, text)
  for (const { src } of banners) {
    const name = path.basename(src)
    await copyFile(path.join(mediaDir, name), path.join(path.dirname(path.resolve(file)), name))
  }
  return `已写入 ${file}${banners.length > 0 ? `，图片 ${banners.length} 张在旁边` : ''}`
}
