import { readFile } from 'node:fs/promises'
import { FileFault } from '#server/content/draft.ts'
import { dropDraftOf, publishDraft, readDifference } from '#server/content/bank/draftRelease.ts'
import { readDraft, type Waiting } from '#server/content/bank/draftStore.ts'
import { type Deed, readReleases, type ListedRelease as Release } from '#server/content/bank/releaseStore.ts'
import { type Doing, type Done, ReleaseRefusal, rollBack } from '#server/content/bank/releases.ts'
import { type Holder, restoreQuestions, retireQuestions } from '#server/content/bank/retiring.ts'
import { writeTime } from '#server/content/media/time.ts'
import type { Db } from '#server/db/open.ts'
import { refused } from './commandLine.ts'
import type { CommandResult } from './commandLine.ts'
import { lostLines, warnedLines } from './stopLines.ts'

/** What was done, in words and as data. */
interface Answer {
  lines: string[]
  data: unknown
}
type Act = (db: Db, doing: Doing) => Promise<Answer>

const DEEDS: Record<Deed, string> = {
  before: '版本记录之前已有的内容',
  import: '导入',
  rollback: '回到',
  retire: '下架',
  restore: '恢复',
  publish: '发布草稿',
}

interface Options {
  /** Numbers of questions, besides those that are named. */
  fromFile: string | undefined
  /** Answers the open reports on every question that gets a new version. */
  reply: string | undefined
}

/** Null: wrong use. */
export function releaseAct(command: string, words: readonly string[], { fromFile, reply }: Options): Act | null {
  const [library, no, ...more] = words
  if (command === 'retire' || command === 'restore')
    return library === undefined && fromFile === undefined ? null : turn(command, words, fromFile)
  if (library === undefined || fromFile !== undefined || more.length > 0) return null
  if (command === 'rollback') return /^[1-9]\d{0,8}$/.test(no ?? '1') ? back(library, no) : null
  if (no !== undefined) return null
  if (command === 'releases') return list(library)
  if (command === 'diff') return compare(library)
  if (command === 'publish') return put(library, reply)
  return command === 'drop' ? drop(library) : null
}

export async function tellReleases(act: Act, db: Db, doing: Doing, asJson: boolean): Promise<CommandResult> {
  try {
    const { lines, data } = await act(db, doing)
    return { code: 0, lines: asJson ? [JSON.stringify(data)] : lines }
  } catch (error) {
    if (error instanceof ReleaseRefusal) return refused(error.message)
    throw error
  }
}

const list =
  (library: string): Act =>
  async (db) => {
    const releases = await readReleases(db, library)
    const draft = await readDraft(db, library)
    if (releases.length === 0 && !draft) throw new ReleaseRefusal(`没有编号为 ${library} 的题库`)
    const told = releases.map((each, i) => ({ ...each, present: i === 0 }))
    const lines = [...(draft ? [toldDraft(draft)] : []), ...told.map(toldRelease)]
    return { data: { draft: draft && briefly(draft), releases: told }, lines }
  }

const briefly = ({ at, note, file, replaces, base, total }: Waiting) => ({ at, note, file, replaces, base, total })
const toldDraft = ({ at, note, file, replaces, base, total }: Waiting): string =>
  ['草稿（未发布）', writeTime(at), `${total} 题${replaces ? '，替换整个题库' : ''}`, `在第 ${base} 版上`, file, note]
    .filter(Boolean)
    .join('  ')

function toldRelease({
  no,
  at,
  what,
  target,
  note,
  framed,
  present,
  ...counts
}: Release & { present: boolean }): string {
  const deed = target === null ? DEEDS[what] : `${DEEDS[what]}第 ${target} 版`
  const changes = [...changesOf(counts), ...(framed ? ['题库信息、章节或知识点有改动'] : [])]
  return [`第 ${no} 版${present ? '（现用）' : ''}`, writeTime(at), deed, changes.join('，'), note]
    .filter(Boolean)
    .join('  ')
}

const changesOf = ({ added, changed, restored, retired }: Pick<Done, 'added' | 'changed' | 'restored' | 'retired'>) => [
  ...(added > 0 ? [`新增 ${added}`] : []),
  ...(changed > 0 ? [`更新 ${changed}${restored > 0 ? `（其中恢复 ${restored}）` : ''}`] : []),
  ...(retired > 0 ? [`下架 ${retired}`] : []),
]

const back =
  (library: string, to: string | undefined): Act =>
  async (db, doing) => {
    const done = await rollBack(db, library, to === undefined ? null : Number(to), doing)
    const { target, no } = done
    if (no === null) return { data: done, lines: [`题库 ${library} 与第 ${target} 版相同，没有改动`] }
    const changes = changesOf(done).join('，') || '题目没有改动，题库信息、章节或知识点已恢复'
    const line = `题库 ${library} 已回到第 ${target} 版：${changes}。现用第 ${no} 版`
    return { data: done, lines: [line, ...lostLines(done.lostStops)] }
  }

const compare =
  (library: string): Act =>
  async (db) => {
    const { draft, difference } = await readDifference(db, library)
    const lines = Object.entries(WAYS).flatMap(([way, name]) => {
      const nos = difference[way as keyof typeof WAYS]
      return nos.length > 0
        ? [`${name} ${nos.length}：${nos.slice(0, SHOWN).join('、')}${nos.length > SHOWN ? ' …' : ''}`]
        : []
    })
    if (difference.framed) lines.push('题库信息、章节或知识点有改动')
    lines.push(...warnedLines(difference.lostStops))
    return {
      data: { draft: briefly(draft), ...difference },
      lines: [toldDraft(draft), ...(lines.length > 0 ? lines : ['与现用的一版相同'])],
    }
  }
/** --json names all. */
const SHOWN = 20
const WAYS = { added: '新增', changed: '更新', restored: '恢复', moved: '换章节或位置', retired: '下架' }

const put =
  (library: string, reply: string | undefined): Act =>
  async (db, doing) => {
    const done = await publishDraft(db, library, { ...doing, reply })
    if (done.no === null) return { data: done, lines: [`题库 ${library} 与草稿相同，没有改动`] }
    const changes = changesOf(done).join('，') || '题目没有改动，题库信息、章节或知识点已更新'
    const line = `题库 ${library} 已发布：${changes}。现用第 ${done.no} 版`
    return { data: done, lines: [line, ...lostLines(done.lostStops)] }
  }

const drop =
  (library: string): Act =>
  async (db) => {
    await dropDraftOf(db, library)
    return { data: { library, dropped: true }, lines: [`题库 ${library} 的草稿已丢弃`] }
  }

const turn =
  (command: 'retire' | 'restore', words: readonly string[], fromFile: string | undefined): Act =>
  async (db, doing) => {
    const nos = [...new Set([...words, ...(fromFile === undefined ? [] : await numbersIn(fromFile))])]
    if (nos.length === 0) throw new FileFault(`${fromFile} 里没有题号`)
    if (command === 'restore') {
      const back = await restoreQuestions(db, nos, doing)
      const lines = back.done.map(({ library, changed, no }) => `题库 ${library}：恢复 ${changed}。现用第 ${no} 版`)
      return { data: back, lines: [...lines, ...toldSo('原来就没有下架', back.already)] }
    }
    const gone = await retireQuestions(db, nos, doing)
    const lines = gone.done.map(({ library, retired, no }) => `题库 ${library}：下架 ${retired}。现用第 ${no} 版`)
    const stops = gone.done.flatMap(({ lostStops }) => lostLines(lostStops))
    return {
      data: gone,
      lines: [...lines, ...toldSo('原来就已下架', gone.already), ...gone.held.map(toldHolder), ...stops],
    }
  }

/** One a line, or with commas or spaces between. */
async function numbersIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new FileFault(`${file} 不存在或无法读取`)
  })
  return text
    .replace('\uFEFF', '')
    .split(/[\s,，、;；]+/)
    .filter(Boolean)
}

const toldSo = (so: string, nos: readonly string[]): string[] => (nos.length > 0 ? [`${so}：${nos.join('、')}`] : [])

const HOLDERS = { set: '题集', exam: '考试', testing: '测评' }
const toldHolder = ({ kind, no, title, questions }: Holder): string =>
  `${HOLDERS[kind]} ${no}（${title}）仍有 ${questions.join('、')}：已发布的不变，再次导入前请换题`
