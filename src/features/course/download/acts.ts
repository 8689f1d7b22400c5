import { bytesText } from '#src/domain/text/bytes.ts'
import { lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { keptWish, sizeOf } from '#src/offline/downloads/lessons/media.ts'
import { asksFirst } from '#src/offline/downloads/network.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { followLongWork } from '#src/ui/feedback/longWork.tsx'
import { fetchPlayer } from './fetchPlayer.ts'
import { askQuality, inQuality, type Offered, withoutSizes } from './quality.ts'
import type { Act } from './view.ts'

/** Where the browser does not tell Wi-Fi from mobile data (iOS), more than this is asked about first. */
const ASK_BYTES = 20 * 1024 ** 2

const ask = async (title: string, message: string, label: string, tone: 'primary' | 'danger'): Promise<boolean> =>
  (await feedback.ask({
    title,
    message,
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'yes', label, tone },
    ],
  })) === 'yes'

export const followLessons = (): void =>
  followLongWork(lessons, { titleOf: ({ title }) => title, isWhole: ({ ready, next }) => ready !== null && !next })

/** What was interrupted goes on, and every page tells of it. */
export async function resumeAll(): Promise<void> {
  followLessons()
  await lessons.open()
}

/** A file that did not come once is not asked for again by `import` in every browser; then it comes as a file. */
const withPlayer = (): void => void fetchPlayer().catch(lessons.bringPlayer)
// What a lesson is played by is known when it has come.
lessons.onSwap(withPlayer)

/** Downloads tell their own troubles; what is left is a storage that does not answer. */
const tellStorage = (): void => feedback.toast('本地存储没有响应，请稍后重试')
const quietly = (work: Promise<void>): void => void work.catch(tellStorage)

/** Mobile data costs the student money: it is used when they say so. */
async function begin(offered: readonly Offered[]): Promise<void> {
  const list = (await askQuality(offered))?.map(withoutSizes)
  if (!list) return
  const bytes = list.reduce((sum, each) => sum + each.bytes, 0)
  withPlayer()
  if (!asksFirst(bytes, ASK_BYTES, lessons.metered)) return lessons.start(list)
  const size = bytesText(bytes)
  const message = lessons.metered()
    ? `当前不是 Wi-Fi，下载需要约 ${size} 流量。`
    : `下载需要约 ${size}，建议连接 Wi-Fi 后进行。`
  if (await ask('下载课时', message, '现在下载', 'primary')) await lessons.start(list, true)
}

export const start = (list: readonly Offered[]): void => quietly(begin(list))
export const pause = (nos: readonly string[]): void => quietly(lessons.pause(nos))
/** Goes on with what was begun, and begins what could not be. */
export function resume(list: readonly Offered[]): void {
  const { rows } = lessons.get()
  const isBegun = ({ lesson }: Offered) => rows?.get(lesson)?.wanted ?? false
  const unbegun = list.filter((each) => !isBegun(each))
  if (unbegun.length < list.length) quietly(lessons.resume(list.filter(isBegun).map(({ lesson }) => lesson)))
  if (unbegun.length > 0) start(unbegun)
}

/** @param what as a sentence names it */
export async function remove(nos: readonly string[], what: string, bytes: number): Promise<void> {
  const message = `将移除${what}，释放约 ${bytesText(bytes)}。学习进度和笔记都会保留，以后可以重新下载。`
  if (await ask('移除下载', message, '移除', 'danger')) quietly(lessons.remove(nos))
}

const NOTHING = { ready: null, next: null }

/** The quality stays as it is on this device: an update brings no other. */
function asKept(lesson: Offered): Offered {
  const row = lessons.get().rows?.get(lesson.lesson)
  const wish = row && keptWish(row)
  return wish ? inQuality(lesson, wish) : lesson
}

export function act(lesson: Offered, what: Act): void {
  const nos = [lesson.lesson]
  switch (what) {
    case 'start':
    case 'change':
      return start([lesson])
    case 'update':
      return start([asKept(lesson)])
    case 'resume':
      return resume([lesson])
    case 'anyway':
      return quietly(lessons.resume(nos, true))
    case 'spend':
      return quietly(lessons.spend(lesson.lesson))
    case 'pause':
      return pause(nos)
    case 'cancel':
      return quietly(lessons.cancel(nos))
    case 'remove':
      return void remove(
        nos,
        `“${lesson.title}”`,
        sizeOf(lessons.get().rows?.get(lesson.lesson) ?? { ...lesson, ...NOTHING }),
      )
  }
}
