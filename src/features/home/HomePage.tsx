import {
  IconBook2,
  IconBookmark,
  IconClipboardCheck,
  IconFileX,
  IconListCheck,
  IconNotebook,
  IconPlayerPlay,
  IconStack2,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ComponentType, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { libraryListQuery } from '#src/api/libraries.ts'
import { offline } from '#src/offline/index.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { ANONYMOUS } from '#src/offline/device/names.ts'
import { LoginGate } from '#src/session/LoginGate.tsx'
import { useSession } from '#src/session/useSession.ts'
import { deviceMemory } from '#src/device/stores.ts'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import classes from './HomePage.module.css'
import type * as Later from './afterFirst.ts'
import { Cover } from './parts/Cover.tsx'
import { RememberedLesson } from './parts/RememberedLesson.tsx'
import { Room } from './parts/Room.tsx'

const later = <P,>(pick: (all: typeof Later) => ComponentType<P>, instead?: ComponentType<P>) =>
  optional(() => import('./afterFirst.ts').then(pick), instead)
const Banners = later((all) => all.Banners, Cover)
const Hint = () => <>上次停在哪里，就从哪里继续。</>
const Countdown = later((all) => all.Countdown, Hint)
const LastLesson = later((all) => all.LastLesson, RememberedLesson)
const Offers = later((all) => all.Offers)

interface HomePageProps {
  /** 今日任务, above all else. */
  task: ReactNode
  panel: ReactNode
  running?: ReactNode
}

/** 首页: the ways into studying stand with the first paint; what comes after it finds its room kept. */
export function HomePage({ task, panel, running }: HomePageProps) {
  const { exam, area, uid } = useSession()
  // Who has nothing done yet is shown what the product does, which takes less room.
  const isNew = uid === null && !deviceMemory.get(OWNER_KEYS.lastChapter(ANONYMOUS))
  return (
    <div className={classes.page}>
      <div className={classes.lead}>
        <div className={classes.task}>
          <Suspense>{task}</Suspense>
        </div>
        <div className={clsx(common.stack, classes.top)}>
          <div className={classes.banners}>
            <Suspense fallback={<Cover />}>
              <Banners />
            </Suspense>
          </div>
          <div className={clsx(common.stack, classes.start)}>
            <h1 className={clsx(common.row, common.subheading, classes.exam)}>
              <small className={clsx(common.fixed, classes.area)}>{area.name}</small>
              {exam?.name}
            </h1>
            <p className={clsx(common.row, common.note, classes.countdown)}>
              <Suspense fallback={<Hint />}>
                <Countdown hint={<Hint />} />
              </Suspense>
            </p>
            {running}
            <GoOn />
          </div>
        </div>
      </div>
      <Entries />
      <div className={classes.panel} data-new={isNew || undefined}>
        <Suspense>{panel}</Suspense>
      </div>
      <Suspense fallback={<Room />}>
        <Offers />
      </Suspense>
    </div>
  )
}

/** 继续学习: the chapter that was studied last on this device, and the lesson. Whoever is new begins with the first subject. */
function GoOn() {
  const last = useSyncExternalStore(offline.onChange, () => deviceMemory.get(OWNER_KEYS.lastChapter(offline.owner)))
  const [no = '', count = '', ...rest] = last?.split('/') ?? []
  const title = rest.join('/')
  const { chapterCount } = useSession()
  const { data: libraries } = useQuery({ ...libraryListQuery(), enabled: no === '' })
  const [first] = libraries ?? []
  const params = no
    ? { no, count: Number(count), title }
    : first && { no: first.no, count: chapterCount, title: first.title }
  const way = params
    ? ({ to: '/question/library_study/$no/$count/$title', params } as const)
    : ({ to: '/question/library' } as const)
  return (
    <>
      <Link {...way} className={clsx(common.row, common.strong, common.link, classes.go)}>
        <IconPlayerPlay size={22} className={common.fixed} aria-hidden="true" />
        <span className={common.ellipsis}>{no ? `继续学习 ${title}` : '开始练习'}</span>
      </Link>
      <Suspense fallback={<RememberedLesson />}>
        <LastLesson />
      </Suspense>
    </>
  )
}

const ENTRIES = [
  { to: '/question/library', name: '章节练习', icon: IconListCheck },
  { to: '/question_set/question_set_list', name: '题集', icon: IconStack2 },
  { to: '/user/my_error', name: '错题本', icon: IconFileX, look: 'mine' },
  { to: '/user/my_collect', name: '收藏', icon: IconBookmark, look: 'mine' },
  { to: '/user/my_note', name: '笔记', icon: IconNotebook, look: 'mine' },
  { to: '/exam/exam_list', name: '模拟考试', icon: IconClipboardCheck, look: 'warm' },
  { to: '/course/course_list', name: '课程', icon: IconPlayerPlay, look: 'warm' },
  { to: '/store/store_list', name: '图书', icon: IconBook2, look: 'warm' },
] as const

const Entries = () => (
  <nav className={clsx(common.card, classes.entries)} aria-label="快捷入口">
    {ENTRIES.map(({ to, name, icon: Icon, ...entry }) => {
      const look = 'look' in entry ? entry.look : ''
      const link = (
        <Link key={to} to={to} className={clsx(common.small, common.link, classes.entry)} data-look={look}>
          <Icon size={26} stroke={1.6} className={classes.icon} aria-hidden="true" />
          {name}
        </Link>
      )
      return look === 'mine' ? <LoginGate key={to}>{link}</LoginGate> : link
    })}
  </nav>
)
