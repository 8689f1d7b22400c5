import { IconChartBar, IconMessage } from '@tabler/icons-react'
import { Link, Navigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { lazy, Suspense, useState } from 'react'
import { useFigures } from '#src/offline/useFigures.ts'
import { Chevron } from '#src/ui/Chevron.tsx'
import common from '#src/ui/common.module.css'
import { type Counts, useCounts } from './useCounts.ts'
import classes from './Hub.module.css'
import { type PageKey, pageOf, SECTIONS, SETTINGS } from './sections.ts'
import { Waiting } from './Waiting.tsx'
import { Who } from './Who.tsx'
import { useHasMenu } from './width.ts'

const StatsDialog = lazy(() => import('#src/features/stats/StatsDialog.tsx').then((m) => ({ default: m.StatsDialog })))
const InboxSheet = lazy(() => import('#src/features/inbox/InboxSheet.tsx').then((m) => ({ default: m.InboxSheet })))

/** 我的 on a phone: who it is, what is waiting, and the way to everything that is one's own. */
export function Hub() {
  const hasMenu = useHasMenu()
  const figures = useFigures()
  const counts = useCounts(figures)
  const [open, setOpen] = useState<'stats' | 'inbox' | null>(null)
  const close = () => setOpen(null)
  // The phone was turned, or the window grew.
  if (hasMenu) return <Navigate to="/user/my_course" replace />
  return (
    <div className={clsx(common.stack, classes.hub)}>
      <h1 className={common.title}>我的</h1>
      <Who figures={figures} />
      <Waiting counts={counts} onInbox={() => setOpen('inbox')} />
      {SECTIONS.map(({ title, pages }, at) => (
        <section key={title} className={classes.section} aria-labelledby={`section${at}`}>
          <h2 id={`section${at}`} className={clsx(common.note, classes.title)}>
            {title}
          </h2>
          <ul className={clsx(common.card, classes.rows)}>
            {pages.map((page) => (
              <PageRow key={page} page={page} counts={counts} />
            ))}
            {at === 0 && <ButtonRow name="学习统计" icon={IconChartBar} onClick={() => setOpen('stats')} />}
            {at === SECTIONS.length - 1 && (
              <>
                <ButtonRow name="消息" icon={IconMessage} onClick={() => setOpen('inbox')} />
                {SETTINGS.map(({ name, icon: Icon, ...way }) => (
                  <li key={name}>
                    <Link {...way} className={rowLook}>
                      <Icon size={22} stroke={1.6} className={classes.icon} aria-hidden="true" />
                      <span className={common.grow}>{name}</span>
                      <Chevron />
                    </Link>
                  </li>
                ))}
              </>
            )}
          </ul>
        </section>
      ))}
      <Suspense>
        {open === 'stats' && <StatsDialog toDate={false} onClose={close} />}
        {open === 'inbox' && <InboxSheet onClose={close} />}
      </Suspense>
    </div>
  )
}

const rowLook = clsx(common.row, common.link, classes.row)

/** It says how much lies there, where that can be counted. */
const COUNTED: Partial<Record<PageKey, [of: keyof Counts, unit: string]>> = {
  error: ['errors', '题'],
  collect: ['collected', '题'],
  note: ['noted', '题'],
  coupon: ['coupons', '张可用'],
}

function PageRow({ page, counts }: { page: PageKey; counts: Counts }) {
  const { to, short, icon: Icon } = pageOf(page)
  const [of, unit] = COUNTED[page] ?? []
  const count = of && counts[of]
  return (
    <li>
      <Link to={to} className={rowLook}>
        <Icon size={22} stroke={1.6} className={classes.icon} aria-hidden="true" />
        <span className={common.grow}>{short}</span>
        {Boolean(count) && (
          <span className={clsx(common.note, common.figures)}>
            {count} {unit}
          </span>
        )}
        <Chevron />
      </Link>
    </li>
  )
}

interface ButtonRowProps {
  name: string
  icon: typeof IconMessage
  onClick: () => void
}
const ButtonRow = ({ name, icon: Icon, onClick }: ButtonRowProps) => (
  <li>
    <button type="button" className={rowLook} onClick={onClick}>
      <Icon size={22} stroke={1.6} className={classes.icon} aria-hidden="true" />
      <span className={common.grow}>{name}</span>
      <Chevron />
    </button>
  </li>
)
