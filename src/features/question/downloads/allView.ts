import type { Library } from '#src/contract/question.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { estimatedRoom } from '#src/offline/device/estimate.ts'
import { MARGIN_BYTES } from '#src/offline/device/room.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { isPending } from '#src/offline/downloads/packs/pack.ts'
import { type Activity, packs, type PacksState } from '#src/offline/downloads/packs/packs.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { FULL, mayBegin, sizeOf, tellStorage } from './packView.ts'

/** Texts are kept as they are, and travel packed: on the device they take up to so many times as much (0018). */
const UNPACKED = 5

export type AllAct = 'start' | 'pause' | 'resume' | 'anyway'
/** Each has a label, and a name for those who do not see what it is about. */
export const ALL_ACTS: Record<AllAct, [label: string, name: string]> = {
  start: ['下载全部', '下载全部题库'],
  pause: ['暂停', '暂停下载全部题库'],
  resume: ['继续', '继续下载全部题库'],
  anyway: ['用流量下载', '用流量下载全部题库'],
}
export interface AllView {
  text: string
  note: string
  /** 0 … 1 of all bytes, while it is under way or rests. */
  part: number | null
  alarm: boolean
  at: Activity['at'] | undefined
  acts: readonly AllAct[]
}

interface Found extends Pick<Library, 'no' | 'title' | 'pack'> {
  kept: boolean
  /** It is to be downloaded; what rests is so, too. */
  pending: boolean
  full: boolean
  activity: Activity | undefined
}
const GOING: readonly Activity['at'][] = ['queued', 'running', 'unsteady', 'waiting', 'wifi']
const isGoing = ({ activity }: Found): boolean => activity !== undefined && GOING.includes(activity.at)

/** Sorts the libraries of a direction: those here, those to come, and those that the server does not give, for now or to this student. */
function sort(libraries: readonly Library[], { rows, activities }: PacksState) {
  const found = libraries.map(({ no, title, pack }): Found => {
    const row = rows?.get(no)
    const activity = activities.get(no)
    const pending = row !== undefined && isPending(row)
    return { no, title, pack, kept: row?.ready === true, pending, full: row?.full === true, activity }
  })
  const isRefused = ({ pending, activity, pack }: Found) => pack === null || (!pending && activity?.at === 'failed')
  const kept = found.filter((each) => each.kept)
  const missing = found.filter((each) => !each.kept && !isRefused(each))
  return { kept, missing, leftOut: found.length - kept.length - missing.length }
}

const bytesOf = (list: readonly Found[]): number => list.reduce((sum, each) => sum + sizeOf(each), 0)

/** Says how all libraries of a direction stand together, and what can be done. */
export function allView(libraries: readonly Library[], state: PacksState): AllView {
  const { kept, missing, leftOut } = sort(libraries, state)
  const left = leftOut > 0 ? `另有 ${leftOut} 个暂时不能下载` : ''
  const say = (...parts: readonly string[]) => [...parts, left].filter(Boolean).join('，')
  const base = { part: null, alarm: false, at: undefined }
  if (missing.length === 0) {
    const text = kept.length > 0 ? `${kept.length} 个题库都已下载` : '题库暂时不能下载'
    return { ...base, text, note: kept.length > 0 ? say('没有网络也能做题') : '', acts: [] }
  }
  if (!missing.every(({ pending, activity }) => pending || activity)) {
    const note = packSettings.saver() ? '省流模式，不含图片和录音' : '没有网络也能做题'
    const text = `${kept.length > 0 ? '其余' : '全部'} ${missing.length} 个题库`
    return { ...base, text, note: say(`共 ${bytesText(bytesOf(missing))}`, note), acts: ['start'] }
  }
  const all = bytesOf([...kept, ...missing])
  const done = bytesOf(kept) + missing.reduce((sum, each) => sum + sizeOf(each) * (each.activity?.part ?? 0), 0)
  const part = all > 0 ? done / all : 0
  const come = `${kept.length}/${kept.length + missing.length} 个题库 · ${Math.floor(part * 100)}%`
  const going = missing.filter(isGoing)
  if (going.length > 0)
    return { ...goingView(going, come), note: say(noteOf(going), `共 ${bytesText(all)}`), part, alarm: false }
  if (missing.some(({ full, activity }) => full || activity?.at === 'full'))
    return { ...FULL, part, at: 'full', acts: ['resume'] }
  const failed = missing.find(({ activity }) => activity?.at === 'failed')?.activity
  const at = failed?.at
  return {
    text: failed?.message ?? '下载已暂停',
    note: say(`已下载 ${come}`),
    part,
    alarm: failed !== undefined,
    at,
    acts: ['resume'],
  }
}

/** The one that is worked on tells how it goes; the others wait for it. */
const headOf = (going: readonly Found[]): Activity['at'] =>
  going.map(({ activity }) => activity?.at).find((at) => at !== undefined && at !== 'queued') ?? 'queued'

function goingView(going: readonly Found[], come: string): Pick<AllView, 'text' | 'at' | 'acts'> {
  const at = headOf(going)
  return {
    text: at === 'wifi' ? `等待 Wi-Fi，已下载 ${come}` : `正在下载 ${come}`,
    at,
    acts: at === 'wifi' ? ['anyway', 'pause'] : ['pause'],
  }
}
function noteOf(going: readonly Found[]): string {
  const at = headOf(going)
  if (at === 'waiting') return '网络不可用，恢复后自动继续'
  if (at === 'wifi') return '连上 Wi-Fi 后自动继续'
  return at === 'unsteady' ? '网络不稳定，正在续传' : '可以离开这一页'
}

/** Tells whether there is room for all of it, and says to the student what helps where there is not. */
async function hasRoom(missing: readonly Found[]): Promise<boolean> {
  const needed = missing.reduce((sum, each) => {
    const texts = each.pack?.bytes ?? 0
    return sum + texts * UNPACKED + sizeOf(each) - texts
  }, 0)
  const room = await estimatedRoom()
  if (room === null || room >= needed + MARGIN_BYTES) return true
  await feedback.warn(
    `存储空间不足：下载全部题库约需 ${bytesText(needed)}，浏览器还能用 ${bytesText(room)}，其中要留出 ${bytesText(MARGIN_BYTES)} 保存答题记录。请移除一些已下载的课时，或清理手机空间后再试，也可以只下载一部分题库。`,
  )
  return false
}

/** Begins with the rest of these libraries; what was allowed once is not asked about again. Resolves with whether it has begun. */
async function begin(libraries: readonly Library[], what: 'start' | 'resume' | 'anyway'): Promise<boolean> {
  const { missing } = sort(libraries, packs.get())
  if (!(await hasRoom(missing))) return false
  const may = what === 'start' ? await mayBegin('下载全部题库', bytesOf(missing)) : what === 'anyway' && 'any'
  if (what === 'start' && !may) return false
  await packs.startAll(missing, may === 'any')
  return true
}

export async function actOnAll(libraries: readonly Library[], what: AllAct): Promise<boolean> {
  try {
    if (what !== 'pause') return await begin(libraries, what)
    await packs.pauseAll(sort(libraries, packs.get()).missing.map(({ no }) => no))
    return true
  } catch {
    tellStorage()
    return false
  }
}
