import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { REASON_NAMES } from '#src/player/marks/reasons.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { dateText, timeText } from '#src/ui/dates.ts'
import { Empty } from '#src/ui/Empty.tsx'
import { NoMore, useGrowing } from '#src/ui/list/More.tsx'
import { markSeen, type News, useNews } from './news.ts'
import { QuestionLink } from './QuestionLink.tsx'
import { type About, headline } from './texts.ts'
import { useAbout } from './useAbout.ts'
import classes from './Inbox.module.css'

const STEP = 30
const NONE: readonly News[] = []

/** 消息: what happened while the student was away, the newest first. Opening it marks all of it as read. */
export function InboxSheet({ onClose }: { onClose: () => void }) {
  const news = useNews()
  const { shown, more } = useGrowing(news ?? NONE, STEP)
  const about = useAbout(shown)
  const fresh = useFresh(news ?? NONE)
  return (
    <Dialog title="消息" sheet onClose={onClose}>
      {news?.length === 0 && (
        <Empty of="note" title="还没有消息">
          <p>答案更正、纠错回复、考试成绩和订单进展会在这里。</p>
        </Empty>
      )}
      {about && (
        <ul className={classes.list}>
          {shown.map((each) => (
            <li key={each.key}>
              <span>
                {fresh.has(each.key) && <i className={classes.dot} role="img" aria-label="未读" />}
                {headline(each, about(each))}
                <Detail news={each} />
              </span>
              <Door news={each} about={about(each)} onLeave={onClose} />
            </li>
          ))}
        </ul>
      )}
      {more ?? (about && shown.length > 0 && <NoMore />)}
    </Dialog>
  )
}

/** What was unread when it came to the screen stays marked until the sheet is closed. */
function useFresh(news: readonly News[]): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const unread = news.filter((each) => each.unread)
  const newest = Math.max(0, ...unread.map(({ at }) => at))
  // A device that cannot keep it tells it again.
  useEffect(() => void markSeen('noticesSeen', [newest]).catch(() => {}), [newest])
  if (unread.some(({ key }) => !fresh.has(key))) setFresh(new Set([...fresh, ...unread.map(({ key }) => key)]))
  return fresh
}

function Detail({ news }: { news: News }) {
  switch (news.of) {
    case 'notice':
      return <small>{dateText(news.at)} 更正，统计和错题本已随之更新</small>
    case 'report':
      return (
        <>
          {news.report.reply && <span className={classes.text}>回复：{news.report.reply}</span>}
          <small>
            {dateText(news.at)} 回复你反映的“{REASON_NAMES[news.report.reason]}”
          </small>
        </>
      )
    case 'exam':
      return <small>{timeText(news.at)} 公布</small>
    case 'order':
      return (
        <>
          {news.order.note && <span className={classes.text}>{news.order.note}</span>}
          <small>{timeText(news.at)}</small>
        </>
      )
  }
}

const DOOR = buttonLook({ small: true, look: 'light' })

/** The way to what it is about. */
function Door({ news, about, onLeave }: { news: News; about: About; onLeave: () => void }) {
  switch (news.of) {
    case 'notice':
      return <QuestionLink questionNo={news.questionNo} home={about.state ?? about.located} onLeave={onLeave} />
    case 'report':
      return <QuestionLink questionNo={news.report.questionNo} home={about.state ?? about.located} onLeave={onLeave} />
    case 'exam':
      return (
        <Link {...DOOR} to="/exam/exam_report/$itemNo" params={{ itemNo: news.attemptId }} onClick={onLeave}>
          看成绩
        </Link>
      )
    case 'order':
      return (
        <Link {...DOOR} to="/order/order_detail/$id" params={{ id: news.orderId }} onClick={onLeave}>
          看订单
        </Link>
      )
  }
}
