import type { Library } from '#src/contract/question.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { isPending, type PackRow } from '#src/offline/downloads/packs/pack.ts'
import { packs, type Activity } from '#src/offline/downloads/packs/packs.ts'
import { asksFirst } from '#src/offline/downloads/network.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { followLongWork } from '#src/ui/feedback/longWork.tsx'

/** Where the browser does not tell Wi-Fi from mobile data, more than this is asked about first. */
const ASK_BYTES = 5 * 1024 ** 2

export type Act = 'start' | 'update' | 'pause' | 'resume' | 'anyway' | 'cancel' | 'remove'
export interface PackView {
  text: string
  note: string
  /** 0 … 1 while something is under way. */
  part: number | null
  alarm: boolean
  acts: readonly Act[]
}
export const ACTS: Record<Act, string> = {
  start: '下载离线包',
  update: '更新',
  pause: '暂停',
  resume: '继续',
  anyway: '用流量下载',
  cancel: '取消',
  remove: '移除',
}

export const followPacks = (): void =>
  followLongWork(packs, { titleOf: ({ title }) => title, isWhole: ({ ready, next }) => ready && !next })

/** What travels when this library is downloaded now. */
export const sizeOf = ({ pack }: Pick<Library, 'pack'>): number =>
  pack ? pack.bytes + (packSettings.saver() ? 0 : pack.pictureBytes) : 0
/** What a pack takes of the device. */
export const takenBy = ({ bytes, pictures, withoutPictures }: PackRow): number =>
  bytes + (withoutPictures ? 0 : pictures.reduce((all, picture) => all + picture.bytes, 0))

/** What the card says of a library's pack, and what can be done. */
export function packView(library: Library, row: PackRow | undefined, activity: Activity | undefined): PackView {
  const size = bytesText(sizeOf(library))
  if (activity) return activeView(activity, size)
  if (row && isPending(row) && row.full) return { ...FULL, part: 0 }
  if (row && isPending(row))
    return { text: '下载已暂停', note: `共 ${size}`, part: 0, alarm: false, acts: ['resume', 'cancel'] }
  if (row?.ready) return readyView(library, row)
  const saved = packSettings.saver() && library.pack && library.pack.pictureBytes > 0
  const note = saved ? '省流模式，不含图片和录音' : '没有网络也能做题'
  return { text: `离线包 · 下载 ${size}`, note, part: null, alarm: false, acts: ['start'] }
}

function activeView({ at, part, message }: Activity, size: string): PackView {
  const percent = `${Math.floor(part * 100)}%`
  const view = { text: `正在下载 ${percent}`, note: `共 ${size}`, part, alarm: false }
  if (at === 'running') return { ...view, acts: ['pause', 'cancel'] }
  if (at === 'unsteady') return { ...view, note: '网络不稳定，正在续传', acts: ['pause', 'cancel'] }
  if (at === 'queued') return { ...view, text: part > 0 ? view.text : '排队等待下载', acts: ['pause', 'cancel'] }
  if (at === 'waiting')
    return { ...view, text: `网络不可用，已下载 ${percent}`, note: '恢复后自动继续', acts: ['pause', 'cancel'] }
  if (at === 'wifi')
    return { ...view, text: '等待 Wi-Fi', note: `连上 Wi-Fi 后自动继续，共 ${size}`, acts: ['anyway', 'cancel'] }
  if (at === 'full') return { ...FULL, part }
  return { text: message, note: `共 ${size}`, part, alarm: true, acts: ['resume', 'cancel'] }
}

export const FULL = {
  text: '存储空间不足，下载已暂停',
  note: '请移除一些已下载的课时或离线包，再继续',
  alarm: true,
  acts: ['resume', 'cancel'],
} as const satisfies Omit<PackView, 'part'>

function readyView({ pack }: Library, row: PackRow): PackView {
  const newer = pack !== null && pack !== undefined && pack.rev !== row.rev
  const pictures = row.withoutPictures && !packSettings.saver() && row.pictures.length > 0
  const text = `已下载 · 占用 ${bytesText(takenBy(row))}`
  const note = newer ? '有更新，只下载变化部分' : pictures ? '不含图片和录音，更新即可补齐' : '没有网络也能做题'
  return { text, note, part: null, alarm: false, acts: newer || pictures ? ['update', 'remove'] : ['remove'] }
}

const ask = async (title: string, message: string, label: string, tone: 'primary' | 'danger'): Promise<boolean> =>
  (await feedback.ask({
    title,
    message,
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'yes', label, tone },
    ],
  })) === 'yes'

/** A screen reader is told quarters, not every step, for it must be able to finish its sentence. */
export const spoken = (text: string, part: number | null, at: Activity['at'] | undefined): string => {
  if (at === undefined) return ''
  return at === 'running' ? `正在下载 ${Math.floor((part ?? 0) * 4) * 25}%` : text
}

/** Downloads tell their own troubles; what is left is a storage that does not answer. */
export const tellStorage = (): void => feedback.toast('本地存储没有响应，请稍后重试')

export const removePack = async ({ libraryNo, title }: Pick<PackRow, 'libraryNo' | 'title'>): Promise<void> => {
  const message = `将移除“${title}”的离线包以释放空间。答题记录、未同步的答案和收藏都会保留，以后可以重新下载。`
  if (await ask('移除离线包', message, '移除', 'danger')) await packs.remove(libraryNo).catch(tellStorage)
}

/** Mobile data costs the student money: it is used when they say so. False: not now; 'any': whatever the network. */
export async function mayBegin(title: string, size: number): Promise<boolean | 'any'> {
  if (!asksFirst(size, ASK_BYTES, packs.metered)) return true
  const message = packs.metered()
    ? `当前不是 Wi-Fi，下载需要约 ${bytesText(size)} 流量。`
    : `下载需要约 ${bytesText(size)}，建议连接 Wi-Fi 后进行。`
  return (await ask(title, message, '现在下载', 'primary')) && 'any'
}
async function begin(no: string, size: number): Promise<void> {
  const may = await mayBegin('下载离线包', size)
  if (may) await packs.start(no, may === 'any')
}

export const act = (library: Library, what: Act): void => void perform(library, what).catch(tellStorage)

function perform(library: Library, what: Act): Promise<void> {
  const { no, title } = library
  switch (what) {
    case 'start':
    case 'update':
      // An update is at most the whole.
      return begin(no, sizeOf(library))
    case 'resume':
      return packs.start(no)
    case 'anyway':
      return packs.start(no, true)
    case 'pause':
      return packs.pause(no)
    case 'cancel':
      return packs.cancel(no)
    case 'remove':
      return removePack({ libraryNo: no, title })
  }
}
