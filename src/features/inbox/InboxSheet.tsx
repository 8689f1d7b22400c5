import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { REASON_NAMES } from '#src/player/marks/reasons.ts'
import common from '#src/ui/common.module.css'
import { buttonLook } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { dateText, timeText } from '#src/ui/dates.ts'
import { Empty } from '#src/ui/Empty.tsx'
import { NoMore, useGrowing } from '#src/ui/list/More.tsx'
import { markSeen, type Message, useMessages } from './messages.ts'
import { QuestionLink } from './QuestionLink.tsx'
import { type About, headline } from './texts.ts'
import { useAbout } from './useAbout.ts'
import classes from './Inbox.module.css'

const STEP = 30
const NONE: readonly Message[] = []

/** 消息: what happened while the student was away, the newest first. Opening it marks all of it as read. */
export function InboxSheet({ onClose }: { onClose: () => void }) {
  const messages = useMessages()
  const { shown, more } = useGrowing(messages ?? NONE, STEP)
  const about = useAbout(shown)
  const fresh = useFresh(messages ?? NONE)
  return (
    <Dialog title="消息" sheet onClose={onClose}>
      {messages?.length === 0 && (
        <Empty of="note" title="还没有消息">
          <p>答案更正、纠错回复、考试成绩和订单进展会在这里。</p>
        </Empty>
      )}
      {about && (
        <ul className={clsx(common.stack, classes.list)}>
          {shown.map((each) => (
            <li key={each.key} className={clsx(common.between, common.sunken, classes.message)}>
              <span>
                {fresh.has(each.key) && <i className={classes.dot} role="img" aria-label="未读" />}
                {headline(each, about(each))}
                <Detail entry={each} />
              </span>
              <Door entry={each} about={about(each)} onLeave={onClose} />
            </li>
          ))}
        </ul>
      )}
      {more ?? (about && shown.length > STEP && <NoMore />)}
    </Dialog>
  )
}

/** What was unread when it came to the screen stays marked until the sheet is closed. */
function useFresh(messages: readonly Message[]): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const unread = messages.filter((each) => each.unread)
  const newest = Math.max(0, ...unread.map(({ at }) => at))
  // A device that cannot keep it tells it again.
  useEffect(() => void markSeen('noticesSeen', [newest]).catch(() => {}), [newest])
  if (unread.some(({ key }) => !fresh.has(key))) setFresh(new Set([...fresh, ...unread.map(({ key }) => key)]))
  return fresh
}

const SMALL = clsx(common.caption, classes.text)

function Detail({ entry }: { entry: Message }) {
  switch (entry.of) {
    case 'notice':
      return <small className={SMALL}>{dateText(entry.at)} 更正，统计和错题本已随之更新</small>
    case 'report':
      return (
        <>
          {entry.report.reply && <span className={classes.text}>回复：{entry.report.reply}</span>}
          <small className={SMALL}>
            {dateText(entry.at)} 回复你反映的“{REASON_NAMES[entry.report.reason]}”
          </small>
        </>
      )
    case 'exam':
      return <small className={SMALL}>{timeText(entry.at)} 公布</small>
    case 'order':
      return (
        <>
          {entry.order.note && <span className={classes.text}>{entry.order.note}</span>}
          <small className={SMALL}>{timeText(entry.at)}</small>
        </>
      )
  }
}

const DOOR = buttonLook({ small: true, look: 'light' })

/** The way to what it is about. */
function Door({ entry, about, onLeave }: { entry: Message; about: About; onLeave: () => void }) {
  switch (entry.of) {
    case 'notice':
      return <QuestionLink questionNo={entry.questionNo} home={about.state ?? about.located} onLeave={onLeave} />
    case 'report':
      return <QuestionLink questionNo={entry.report.questionNo} home={about.state ?? about.located} onLeave={onLeave} />
    case 'exam':
      return (
        <Link {...DOOR} to="/exam/exam_report/$itemNo" params={{ itemNo: entry.sittingId }} onClick={onLeave}>
          查看成绩
        </Link>
      )
    case 'order':
      return (
        <Link {...DOOR} to="/order/order_detail/$id" params={{ id: entry.orderId }} onClick={onLeave}>
          查看订单
        </Link>
      )
  }
}
