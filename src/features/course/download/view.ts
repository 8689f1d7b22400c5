import type { CourseHead, Lesson } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { CLOSED, opensOffline } from '#src/domain/course/entitlement.ts'
import { qualityText, sameWish, type Wish } from '#src/domain/course/quality.ts'
import type { Activity } from '#src/offline/downloads/board.ts'
import type { LessonsState, ListedLesson, WantedLesson } from '#src/offline/downloads/lessons/lessons.ts'
import { type OfferedVersion, takenBy, updateOf } from '#src/offline/downloads/lessons/media.ts'
import { inQuality, type Offered } from './quality.ts'

/** What of a course its downloads must know. */
export type CourseOf = Pick<CourseHead, 'no' | 'title' | 'price' | 'kind'>
export type Act = 'start' | 'update' | 'change' | 'pause' | 'resume' | 'anyway' | 'spend' | 'cancel' | 'remove'
export interface LessonView {
  /** What stands on the button. */
  text: string
  /** Why, and what to do; '' when there is nothing to say. */
  note: string
  /** 0 … 1 while something is under way. */
  part: number | null
  alarm: boolean
  /** The first is what the button does; of what only can be removed, that stands beside it. */
  acts: readonly [Act, ...Act[]]
}
export const ACTS: Record<Act, string> = {
  start: '下载',
  update: '更新',
  change: '换画质',
  pause: '暂停下载',
  resume: '继续下载',
  anyway: '用流量下载',
  spend: '接着下载',
  cancel: '取消下载',
  remove: '移除已下载的',
}

export const wantedOf = ({ no, title, price, kind }: CourseOf, lesson: Lesson, wish: Wish): Offered =>
  inQuality(
    {
      lesson: lesson.no,
      title: lesson.title,
      course: no,
      courseTitle: title,
      bytes: lesson.bytes,
      free: price === 0 || lesson.trial,
      kind,
      sizes: lesson.sizes,
    },
    wish,
  )

const percentOf = (part: number): string => `${Math.floor(part * 100)}%`
const idle = { note: '', part: null, alarm: false }

/** What is said of one lesson, and what can be done. @param now the highest time that the device has seen */
export function lessonView(
  { bytes, wish }: Pick<WantedLesson, 'bytes' | 'wish'>,
  row: ListedLesson | undefined,
  activity: Activity | undefined,
  now: number,
): LessonView {
  const part = Math.max(activity?.part ?? 0, row?.share ?? 0)
  if (activity) return activeView(activity, part)
  if (row?.wanted && row.full) return fullView(part)
  if (row?.wanted) {
    const text = row.paused ? `已暂停 ${percentOf(part)}` : `未下完 ${percentOf(part)}`
    return { ...idle, text, part, acts: ['resume', 'cancel'] }
  }
  if (row?.ready) return readyView(row, row.ready, now, { bytes, wish })
  const note = row?.left ? '存储空间不足时已移除' : ''
  return { ...idle, text: bytesText(bytes), note, acts: ['start'] }
}

function activeView({ at, message }: Activity, part: number): LessonView {
  const percent = percentOf(part)
  const view = { ...idle, part }
  switch (at) {
    case 'running':
      return { ...view, text: percent, acts: ['pause'] }
    case 'queued':
      return part > 0
        ? { ...view, text: `等待 ${percent}`, acts: ['pause', 'cancel'] }
        : { ...view, text: '等待', acts: ['pause', 'cancel'] }
    case 'unsteady':
      return { ...view, text: percent, note: '网络不稳定，正在续传', acts: ['pause', 'cancel'] }
    case 'waiting':
      return { ...view, text: percent, note: '网络不可用，恢复后自动继续', acts: ['pause', 'cancel'] }
    case 'wifi':
      return { ...view, text: '用流量下载', note: '连上 Wi-Fi 后自动下载', acts: ['anyway', 'cancel'] }
    case 'full':
      return fullView(part)
    case 'costly':
      return {
        text: '接着下载',
        note: `${message}，比课时大得多。接着下载吗？`,
        part,
        alarm: true,
        acts: ['spend', 'cancel'],
      }
    case 'failed':
      return { text: '重试', note: message, part: part || null, alarm: true, acts: ['resume', 'cancel'] }
  }
}

const fullView = (part: number): LessonView => ({
  text: '继续',
  note: '存储空间不足，下载已暂停。请移除一些已下载的课时或离线包，再继续',
  part: part || null,
  alarm: true,
  acts: ['resume', 'cancel'],
})

function readyView(
  row: ListedLesson,
  { media, rendition }: NonNullable<ListedLesson['ready']>,
  now: number,
  { bytes, wish }: Pick<WantedLesson, 'bytes' | 'wish'>,
): LessonView {
  const opens = opensOffline(row, now)
  if (opens !== 'open') return { ...idle, text: '已下载', note: CLOSED[opens], alarm: true, acts: ['remove'] }
  const update = updateOf(row)
  if (update)
    return {
      ...idle,
      text: updateText(updateBytes(update, { bytes, wish })),
      note: UPDATE_NOTE,
      acts: ['update', 'remove'],
    }
  const { quality, lines = null } = rendition
  if (!quality || !wish || sameWish({ quality, lines }, wish)) return { ...idle, text: '已下载', acts: ['remove'] }
  const [here, other] = [{ quality, lines }, wish].map((each) => qualityText(media.kind, each))
  const note = `已下载${here}，可换成${other}（${bytesText(bytes)}）`
  return { ...idle, text: '已下载', note, acts: ['remove', 'change'] }
}

/** What an update weighs: in the quality that is downloaded where there are several; null: not known yet. */
export const updateBytes = ({ bytes }: OfferedVersion, wanted: Pick<WantedLesson, 'bytes' | 'wish'>): number | null =>
  wanted.wish ? wanted.bytes : bytes

const UPDATE_NOTE = '有新版，更新完成前旧版照常能学'
export const updateText = (bytes: number | null): string => (bytes === null ? '更新' : `更新（${bytesText(bytes)}）`)

/** It does not go on by itself. */
const STOPPED: readonly Activity['at'][] = ['failed', 'full', 'costly']

/** What several lessons are, taken together. */
export interface GroupView {
  text: string
  /** Of what can be begun; '' when there is none. */
  sum: string
  /** Lessons that can be begun. */
  open: readonly Offered[]
  /** Of those, what travels. */
  bytes: number
  /** Numbers of lessons that are under way. */
  running: readonly string[]
  /** Lessons that rest, also those that there was no room to begin. */
  resting: readonly Offered[]
}

export function groupView(
  list: readonly Offered[],
  rows: ReadonlyMap<string, ListedLesson>,
  activities: ReadonlyMap<string, Activity>,
): GroupView {
  const stateOf = ({ lesson }: Offered) => {
    const activity = activities.get(lesson)
    if (activity) return STOPPED.includes(activity.at) ? 'resting' : 'running'
    const row = rows.get(lesson)
    if (row?.wanted) return 'resting'
    return row?.ready ? 'here' : 'open'
  }
  const of = (state: ReturnType<typeof stateOf>) => list.filter((each) => stateOf(each) === state)
  const open = of('open')
  const bytes = open.reduce((sum, each) => sum + each.bytes, 0)
  const here = of('here').length
  const running = of('running').map(({ lesson }) => lesson)
  const resting = of('resting')
  const sum = open.length > 0 ? `${open.length} 课时 · ${bytesText(bytes)}` : ''
  const text = [
    ...(running.length > 0 ? [`正在下载 ${here}/${list.length}`] : []),
    ...(running.length === 0 && resting.length > 0 ? [`未下完 ${resting.length} 课时`] : []),
    ...(open.length > 0 ? [here === 0 && running.length + resting.length === 0 ? sum : `其余 ${sum}`] : []),
  ].join('，')
  return { text: text || `${list.length} 课时已下载`, sum, open, bytes, running, resting }
}

/** Those of which this device keeps an old version and may have the new one, with what that weighs. */
export const updatesOf = (
  list: readonly WantedLesson[],
  { rows, activities }: Pick<LessonsState, 'rows' | 'activities'>,
  now: number,
): WantedLesson[] =>
  list.flatMap((each) => {
    const row = rows?.get(each.lesson)
    const update = row && updateOf(row)
    const rests = row && !row.wanted && !activities.has(each.lesson)
    return update && rests && opensOffline(row, now) === 'open'
      ? [{ ...each, bytes: updateBytes(update, each) ?? each.bytes }]
      : []
  })

/** What is on this phone of one course, and what it takes. */
export interface KeptCourse {
  no: string
  title: string
  rows: readonly ListedLesson[]
  bytes: number
}

/** By course, the one that was added to last first. */
export function keptCourses(rows: Iterable<ListedLesson>): KeptCourse[] {
  const byCourse = new Map<string, ListedLesson[]>()
  for (const row of [...rows].sort((a, b) => a.addedAt - b.addedAt))
    byCourse.set(row.course, [...(byCourse.get(row.course) ?? []), row])
  return [...byCourse]
    .map(([no, list]) => ({ no, title: list[0]?.courseTitle ?? '', rows: list, bytes: takenBy(list) }))
    .reverse()
}
