import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { FileFault } from '#server/content/draft.ts'
import type { LibraryOptions } from '#server/content/formats/readers.ts'
import type { Db } from '#server/db/open.ts'
import { finish, misuse, progress, readCommand, readSettings, refuse } from './commandLine.ts'

const HELP = `用法：npm run content -- <命令> 文件… [选项]

命令
  check    只检查，不导入：逐条列出文件、位置与原因；题库可以是 .json、.csv、.xlsx、.docx、.pdf、.txt、.gift、.xml 或 .zip（QTI）
           --html 文件 另写一页：每道题在学生眼里的样子、文件里的原文和查出的问题，给老师核对
           --held 也对照题库里已有的题（要用数据库），提醒哪些看来重复
  import   检查并导入：全部成功或全部不导入，可重复执行，不会产生重复题目；看来与前面的文件或题库里已有的题重复的有提醒
  export   编号 [文件]：把题库（按扩展名写成 .json、.csv、.xlsx 或 .gift）、题集、考试、测评、课程、课程包、资讯、图书或会员写成 JSON，改后可再导入；编号写 news、books、vip 为全部资讯、图书、会员；不写文件名则打印
  media    文件…：把任何音视频转成手机都能播放的（H.264 High 与 AAC，360/540/720 线，−16 LUFS，封面）；要装 ffmpeg，中断后接着转
  template 文件：写一份带例题的表格模板（.xlsx 或 .csv），填好后用 import 导入
  list     列出全部题库：编号、名称、科目、题数、版本
  stats    题库编号：难度、区分度、错得最多的题（--min 最少作答人数，默认 20；--most 列出几题，默认 20）
题集（lijian-set/1）、考试（lijian-exam/1）、测评（lijian-testing/1）文件同样用 check、import；引用的题目要先导入，所以与题库分两次导入。
课程（lijian-course/1）、课程包（lijian-package/1）、资讯与考试日历（lijian-news/1）、图书（lijian-books/1）、会员（lijian-vip/1）也用 check、import；图片与音视频放在文件旁边，课程 export 到文件时一并取出。

版本（题库每次有改动就是一版；学生的记录都保留）
  releases 题库编号            列出各个版本和等待发布的草稿
  rollback 题库编号 [版本号]    回到那一版，不写则回到上一版；本身也是一版，可以再回去
  retire   题号…              把题目从题库下架；--from-file 文件 从文件读题号
  restore  题号…              把下架的题目恢复到原来的位置
  import   文件… --draft       检查并存为草稿，学生看不到；一个题库一份，再存就替换
  diff     题库编号            发布草稿会新增、更新、下架哪些题
  publish  题库编号            发布草稿；草稿之后又改过的题不会被盖掉
  drop     题库编号            丢弃草稿

选项
  --library 编号 --title 名称 --subject 编号:名称   表格、Word、PDF、文字、GIFT、Moodle 与 QTI 文件所属的题库（JSON 文件自带）
  --directions jg,js   报考方向（默认全部）      --areas 11,31   报考地区（默认全部）
  --chapter 名称       没有章节的题目归入此章（默认 综合）
  --sets-only          题目只供题集使用，不进题库列表（付费题集的题目放在这样的题库里；JSON 写 setsOnly）
  --open               把只供题集的题库向所有人开放，收不回来（JSON 写 "setsOnly": false）
  --hidden             表格里隐藏的工作表、行、列也导入
  --map 原列名=列名    表格列名对应，可多次使用，如 --map 题目=题干 --map 正确答案=答案
  --replace            文件中没有的题目从题库下架（学生的记录保留）；check 同时写它，就提醒哪些课时会因此少了提问
  --skip-faulty        跳过有错的题目和无法读取的文件，导入其余
  --yes                须确认的也发布，如考试里的题不参加也能看到答案
  --note 说明          写进版本记录
  --reply 回复         内容有改动的题目，其未处理的纠错一并答复“已修正”（不写则不答复，见 npm run reports）
  --ffmpeg 路径        media 与 check 用的 ffmpeg（不写则由系统找）
  --json               以 JSON 输出结果

环境变量 DATA_DIR、DATABASE_URL 与服务端相同；服务运行时也可以导入。
退出码：0 成功，1 有错误，2 用法不对。`

const NOTE_MAX = 200
const RELEASE_COMMANDS = new Set(['releases', 'rollback', 'retire', 'restore', 'diff', 'publish', 'drop'])

const {
  values,
  command,
  words: files,
  asJson,
} = readCommand(HELP, {
  library: { type: 'string' },
  title: { type: 'string' },
  subject: { type: 'string' },
  directions: { type: 'string' },
  areas: { type: 'string' },
  chapter: { type: 'string' },
  'sets-only': { type: 'boolean' },
  open: { type: 'boolean' },
  hidden: { type: 'boolean' },
  map: { type: 'string', multiple: true },
  replace: { type: 'boolean' },
  'skip-faulty': { type: 'boolean' },
  reply: { type: 'string' },
  note: { type: 'string' },
  draft: { type: 'boolean' },
  yes: { type: 'boolean' },
  'from-file': { type: 'string' },
  min: { type: 'string' },
  most: { type: 'string' },
  ffmpeg: { type: 'string' },
  html: { type: 'string' },
  held: { type: 'boolean' },
})
const note = values.note?.trim().replace(/\s+/g, ' ') ?? ''
if (note.length > NOTE_MAX) misuse(`--note 最多 ${NOTE_MAX} 字`, command)
if (values.draft && (command !== 'import' || values.reply !== undefined))
  misuse('--draft 与 import 一起用；纠错在发布时答复：publish 题库编号 --reply 回复', command)
if (RELEASE_COMMANDS.has(command)) await runReleases(command)
if (command === 'list' && files.length > 0) misuse(`多了 ${files.join('、')}`, command)
if (command !== 'list' && files.length === 0)
  misuse(command === 'export' || command === 'stats' ? '没有写编号' : '没有写文件', command)
if (values.html !== undefined && command !== 'check') misuse('--html 与 check 一起用', command)
if (values.held && command !== 'check') misuse('--held 与 check 一起用；import 总是对照题库里已有的题', command)
const target = command === 'template' ? files[0] : command === 'export' ? files[1] : values.html
if (target !== undefined && existsSync(target)) refuse(`${target} 已经存在：换一个文件名，或先把它移走`)

// Half of a small import's time is compiling the same modules again; Node keeps them in the system's folder for such things.
enableCompileCache()
if (command === 'list') await runList()
if (command === 'stats') await runStats(files[0] ?? '')
if (command === 'template') await runTemplate(files[0] ?? '')
process.once('SIGINT', () => {
  progress.clear()
  console.error('已中断：没有写完的都不会留下，可以重新执行')
  process.exit(130)
})
if (command === 'media') await runMedia()
await runPublished()
const { checkBanks, importBanks } = await import('./bankCommand.ts')
const banks = {
  files,
  options: libraryOptions(),
  replace: values.replace === true,
  skipFaulty: values['skip-faulty'] === true,
  asJson,
  onDatabase,
  unreadable,
}
if (command === 'check') await checkBanks(banks, { held: values.held === true, html: values.html })
await importBanks(banks, {
  draft: values.draft === true,
  note,
  reply: values.reply,
  consented: values.yes === true,
})

function libraryOptions(): LibraryOptions | null {
  const { library, title, subject } = values
  if (!library && !title && !subject) return null
  const [no, name] = subject?.split(/[:：]/) ?? []
  if (!library || !title || !no || !name || ![library, no].every((each) => /^\w{1,40}$/.test(each)))
    return misuse(
      '--library 与 --subject 的编号用字母、数字、下划线；--library、--title、--subject 编号:名称 要一起给出',
      command,
    )
  const list = (text?: string) => text?.split(/[,，]/).filter(Boolean) ?? []
  const headers = Object.fromEntries(
    (values.map ?? []).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  return {
    library,
    title,
    subject: { no, name },
    directions: list(values.directions),
    areas: list(values.areas),
    setsOnly: values['sets-only'] ? true : values.open ? false : undefined,
    chapter: values.chapter ?? '综合',
    headers,
    withHidden: values.hidden === true,
  }
}

/** Whatever is published, when the files are such; does not come back then. */
async function runPublished(): Promise<void> {
  const { publishedIn } = await import('#server/content/publish/paperFile.ts')
  const kinds = command === 'export' ? [] : await Promise.all(files.map(publishedIn))
  const published = files.flatMap((file, i) => (kinds[i] ? [{ file, kind: kinds[i] }] : []))
  if (command !== 'export' && published.length === 0) return
  if (published.length < kinds.length)
    refuse('题库文件与题集、考试、测评、课程、资讯等文件请分两次导入：它们引用的题目与题库要先在那里。', 2)
  if (values.draft) misuse('只有题库可以存为草稿', command)
  const { givePublished, takePublished } = await import('./publishCommands.ts')
  const { code, lines } = await onDatabase((db, mediaDir) =>
    command === 'export'
      ? givePublished(db, files[0] ?? '', files[1], mediaDir, progress.tell)
      : takePublished(db, command, published, asJson, mediaDir, {
          progress: progress.tell,
          consented: values.yes === true,
          ffmpeg: values.ffmpeg ?? '',
        }),
  )
  finish(code, lines.join('\n'))
}

/** Does not come back. */
async function runReleases(what: string): Promise<never> {
  const { releaseAct, tellReleases } = await import('./releaseCommands.ts')
  const act = releaseAct(what, files, { fromFile: values['from-file'], reply: values.reply })
  if (!act) misuse('少了、多了或写错了什么', what)
  const { code, lines } = await onDatabase((db, mediaDir) =>
    tellReleases(act, db, { mediaDir, at: Date.now(), note, progress: progress.tell }, asJson),
  )
  return finish(code, lines.join('\n'))
}

/** Does not come back. */
async function runList(): Promise<never> {
  const { tellLibraries } = await import('./listCommand.ts')
  const { code, lines } = await onDatabase((db) => tellLibraries(db, asJson))
  return finish(code, lines.join('\n'))
}

/** Does not come back. */
async function runStats(no: string): Promise<never> {
  const [least, most] = [values.min ?? '20', values.most ?? '20'].map((text) =>
    /^\d{1,6}$/.test(text) ? Number(text) : null,
  )
  if (files.length > 1) return misuse(`一次一个题库，多了 ${files.slice(1).join('、')}`, command)
  if (least == null || most == null) return misuse('--min 与 --most 写数字', command)
  const { tellStats } = await import('./statsCommand.ts')
  const { code, lines } = await onDatabase((db) => tellStats(db, no, { least, most, asJson }))
  return finish(code, lines.join('\n'))
}

/** Does not come back. */
async function runMedia(): Promise<never> {
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) return refuse(`${missing} 不存在`)
  const { runMedia: make } = await import('./mediaCommand.ts')
  const { tell, clear } = progress
  const settings = { ffmpeg: values.ffmpeg ?? '', progress: tell, clear, tell: console.log, asJson }
  return finish(await make(files, settings), '')
}

/** Does not come back. */
async function runTemplate(file: string): Promise<never> {
  const { writeTemplate } = await import('#server/content/formats/template.ts')
  await writeTemplate(file).catch(unreadable)
  return finish(0, asJson ? JSON.stringify({ file }) : `已写入 ${file}`)
}

/** A file that turns out to be no good while it is written ends the command, and that is said. */
async function onDatabase<T>(work: (db: Db, mediaDir: string) => Promise<T>): Promise<T> {
  const env = readSettings()
  const { withDatabase } = await import('./database.ts')
  return withDatabase(env, (db) => work(db, path.resolve(env.DATA_DIR, 'media'))).catch(unreadable)
}

/** A file that is no good, or cannot be worked on here, ends the command. */
function unreadable(error: unknown): never {
  if (error instanceof FileFault) return refuse(error.message)
  throw error
}
