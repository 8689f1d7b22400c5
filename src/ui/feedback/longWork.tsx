import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { feedback } from './feedback.ts'
import { ProgressLine } from './ProgressLine.tsx'
import classes from './longWork.module.css'

interface Activity {
  at: 'queued' | 'running' | 'unsteady' | 'waiting' | 'wifi' | 'full' | 'costly' | 'failed'
  /** 0 … 1 */
  part: number
  message: string
}
/** Downloads of one kind, as offline/downloads/board.ts tells them. */
interface Source<Row> {
  subscribe: (listener: () => void) => () => void
  get: () => { rows: ReadonlyMap<string, Row> | null; activities: ReadonlyMap<string, Activity> }
}
interface Telling<Row> {
  titleOf: (row: Row) => string
  /** All of it is on the device. */
  isWhole: (row: Row) => boolean
}
/** What goes on, and what of it has ended while something else still does. */
interface Followed {
  /** Where on the site each was begun, also while it waits for Wi-Fi. */
  begun: ReadonlyMap<string, string>
  going: ReadonlySet<string>
  done: readonly string[]
  failed: readonly { title: string; why: string }[]
}

const followed = new Set<unknown>()
const GOING: readonly Activity['at'][] = ['queued', 'running', 'unsteady', 'waiting']
const goesOn = ({ at }: Activity): boolean => GOING.includes(at)

/**
 * From now on this work is told of on every page: a line at the top as long as it goes on, and, once all of it has ended, how it
 * did to whoever has gone elsewhere meanwhile. Any number of calls are one.
 */
export function followLongWork<Row>(source: Source<Row>, telling: Telling<Row>): void {
  if (followed.has(source)) return
  followed.add(source)
  let now: Followed = { begun: new Map(), going: new Set(), done: [], failed: [] }
  const look = () => {
    now = told(later(now, source.get(), telling))
  }
  look()
  source.subscribe(look)
  const host = document.body.appendChild(document.createElement('div'))
  createRoot(host).render(<Line source={source} />)
}

function later<Row>(
  before: Followed,
  { rows, activities }: ReturnType<Source<Row>['get']>,
  telling: Telling<Row>,
): Followed {
  const { pathname } = window.location
  const done = [...before.done]
  const failed = [...before.failed]
  for (const no of before.going) {
    const activity = activities.get(no)
    if (before.begun.get(no) === pathname || (activity && goesOn(activity))) continue
    const row = rows?.get(no)
    // What could not even be begun has no row.
    const title = row ? `“${telling.titleOf(row)}”` : ''
    if (activity) failed.push({ title, why: WHY[activity.at] ?? activity.message })
    else if (row && telling.isWhole(row)) done.push(title)
  }
  const begun = new Map([...activities.keys()].map((no) => [no, before.begun.get(no) ?? pathname]))
  return { begun, going: new Set([...activities].flatMap(([no, each]) => (goesOn(each) ? no : []))), done, failed }
}
const WHY: Partial<Record<Activity['at'], string>> = { wifi: '连上 Wi-Fi 后自动继续', full: '存储空间不足' }

/** A hundred lessons are one notice. */
function told(now: Followed): Followed {
  const { going, done, failed } = now
  if (going.size > 0 || done.length + failed.length === 0) return now
  const [first] = failed
  if (done.length > 0) feedback.toast(`${done.length > 1 ? `${done.length} 项` : done[0]}已下载，没有网络也能用`)
  if (first) feedback.toast(`${failed.length > 1 ? `${failed.length} 项` : first.title}没有下载完：${first.why}`)
  return { ...now, done: [], failed: [] }
}

/** How far all of it has come, together. */
function Line<Row>({ source }: { source: Source<Row> }) {
  const { activities } = useSyncExternalStore(source.subscribe, source.get)
  const parts = [...activities.values()].filter(goesOn).map(({ part }) => part)
  if (parts.length === 0) return null
  const all = parts.reduce((sum, part) => sum + part, 0) / parts.length
  return (
    <aside aria-label="下载">
      <ProgressLine className={classes.line} part={all} label={`下载进度，共 ${parts.length} 项`} />
    </aside>
  )
}
