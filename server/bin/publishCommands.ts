import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exportBank } from '#server/content/bank/bankExport.ts'
import { exportBooks } from '#server/content/publish/bookFile.ts'
import { exportCourse, giveFiles } from '#server/content/publish/coursePublish.ts'
import { faultsOf, type Finding, stopping } from '#server/content/draft.ts'
import { exportExam } from '#server/content/publish/examFile.ts'
import { withHoldableTexts } from '#server/content/formats/jsonText.ts'
import { KINDS } from '#server/content/publish/publishedKinds.ts'
import { sweepMedia } from '#server/content/media/lessonShelf.ts'
import { exportNews } from '#server/content/publish/newsFile.ts'
import { exportPackage } from '#server/content/publish/packageFile.ts'
import type { Published } from '#server/content/publish/paperFile.ts'
import { noProgress, type Progress } from '#server/content/progress.ts'
import { checkSources, type Outcome, publishSources } from '#server/content/publish/publish.ts'
import { exportSet } from '#server/content/publish/setFile.ts'
import { exportTesting } from '#server/content/publish/testingFile.ts'
import { exportVip } from '#server/content/publish/vipFile.ts'
import type { Db } from '#server/db/open.ts'
import { type CommandResult, refused } from './commandLine.ts'
import { mendLines } from './mediaCommand.ts'

export interface PublishFile {
  file: string
  kind: Published
}

interface Taking {
  progress?: Progress
  consented?: boolean
  /** Where ffmpeg is; '': as the system finds it. */
  ffmpeg?: string
}

/** Checks files against the database and, for `import`, publishes all of them or none. */
export async function takePublished(
  db: Db,
  command: string,
  files: readonly PublishFile[],
  asJson: boolean,
  mediaDir: string,
  { progress = noProgress, consented = false, ffmpeg = '' }: Taking = {},
): Promise<CommandResult> {
  const sources = await Promise.all(
    files.map(async (each) => ({ ...each, json: withHoldableTexts(JSON.parse(await readFile(each.file, 'utf8'))) })),
  )
  const importing = command === 'import'
  const outcomes = importing
    ? await publishSources(db, sources, { mediaDir, now: Date.now(), by: 'operator', consented, progress })
    : await checkSources(db, sources)
  if (importing) await sweepMedia(db, mediaDir, Date.now())
  const isStopped = (yes: boolean) => outcomes.some(({ findings }) => stopping(findings, yes).length > 0)
  // A check says what publishing would ask; only publishing fails for want of an answer.
  const code = isStopped(consented || !importing) ? 1 : 0
  if (asJson) {
    const summary = outcomes.map(({ file, total, findings, written }) => {
      return { file, total, findings, written: written?.written ?? null }
    })
    return { code, lines: [JSON.stringify(summary)] }
  }
  const why = isStopped(true)
    ? '有错误，未发布任何内容。改正后重试。'
    : '有须确认的内容，未发布任何内容。确认无误，请加 --yes 再执行一次。'
  const nothing = importing && code > 0 ? [why] : []
  const mends = await mendLines(mendable(outcomes), ffmpeg)
  return { code, lines: [...outcomes.flatMap(toldOf), ...mends, ...nothing] }
}

/** Files that are refused as they are, each once. */
const mendable = (outcomes: readonly Outcome[]) => [
  ...new Map(
    outcomes.flatMap(({ findings }) => findings.flatMap(({ mend }) => (mend ? [[mend.file, mend] as const] : []))),
  ).values(),
]

const LEVELS: Record<Finding['level'], string> = { fault: '错误', consent: '须确认', warning: '提醒' }

function toldOf({ file, kind, total, findings, written }: Outcome): string[] {
  const { what, unit } = KINDS[kind]
  const faults = faultsOf(findings).length
  return [
    `${file}：${what}，共 ${total} ${unit}，错误 ${faults}，提醒 ${findings.length - faults}`,
    ...findings.map(({ level, at, reason }) => `  ${LEVELS[level]} ${at}：${reason}`),
    ...(written ? [`${file}：${written.told}`] : []),
  ]
}

/** What is published as the file that would publish it again, into a file or told; what it names is put beside it. */
export async function givePublished(
  db: Db,
  no: string,
  file: string | undefined,
  mediaDir: string,
  progress: Progress = noProgress,
): Promise<CommandResult> {
  const bank = await exportBank(db, no, file ?? '', { mediaDir, progress })
  if (bank) {
    const beside = bank.pictures > 0 ? `，图片、录音 ${bank.pictures} 个在旁边` : ''
    return {
      code: 0,
      lines: [`已写入 ${file}：${bank.questions} 题${beside}`, ...bank.left.map((each) => `  提醒 ${each}`)],
    }
  }
  const course = (await exportCourse(db, no)) ?? (await exportPackage(db, no))
  const set = course ? null : await exportSet(db, no)
  const found = course?.json ?? set ?? (await exportOther(db, no))
  if (!found) return refused(`没有编号为 ${no} 的内容`)
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
