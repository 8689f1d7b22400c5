import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { feedback } from './feedback.ts'
import { ProgressLine } from './ProgressLine.tsx'
import classes from './longWork.module.css'

interface Activity {
  at: 'queued' | 'running' | 'waiting' | 'wifi' | 'full' | 'failed'
  /** 0 … 1 */
  part: number
  message: string
}
/** Downloads of one kind, as offline/board.ts tells them. */
interface Source<Row> {
  subscribe: (listener: () => void) => () => void
  get: () => { rows: ReadonlyMap<string, Row> | null; activities: ReadonlyMap<string, Activity> }
}
interface Telling<Row> {
  titleOf: (row: Row) => string
  /** All of it is on the device. */
  isWhole: (row: Row) => boolean
}
/** Where on the site each of what goes on was begun or taken up again. */
type Begun = ReadonlyMap<string, string>

const followed = new Set<unknown>()
const goesOn = ({ at }: Activity): boolean => at === 'queued' || at === 'running' || at === 'waiting'

/**
 * From now on this work is told of on every page: a line at the top as long as it goes on, and how it ended to whoever has gone
 * elsewhere meanwhile. Any number of calls are one.
 */
export function followLongWork<Row>(source: Source<Row>, telling: Telling<Row>): void {
  if (followed.has(source)) return
  followed.add(source)
  let begun: Begun = new Map()
  const look = () => {
    begun = ended(begun, source.get(), telling)
  }
  look()
  source.subscribe(look)
  const host = document.body.appendChild(document.createElement('div'))
  createRoot(host).render(<Line source={source} />)
}

/** Tells what has ended; what goes on now, and since where. */
function ended<Row>(begun: Begun, { rows, activities }: ReturnType<Source<Row>['get']>, telling: Telling<Row>): Begun {
  const { pathname } = window.location
  for (const [no, path] of begun) {
    const activity = activities.get(no)
    const row = rows?.get(no)
    if (!row || path === pathname || (activity && goesOn(activity))) continue
    const title = `“${telling.titleOf(row)}”`
    if (activity) feedback.toast(`${title}没有下载完：${WHY[activity.at] ?? activity.message}`)
    else if (telling.isWhole(row)) feedback.toast(`${title}已下载，没有网络也能用`)
  }
  const going = [...activities].filter(([, activity]) => goesOn(activity))
  return new Map(going.map(([no]) => [no, begun.get(no) ?? pathname]))
}
const WHY: Partial<Record<Activity['at'], string>> = { wifi: '连上 Wi-Fi 后自动继续', full: '本机空间不足' }

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
