import { clsx } from 'clsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useChoice } from '#src/api/useChoice.ts'
import { RefusedError } from '#src/api/errors.ts'
import type { ExamRank } from '#src/contract/exam.ts'
import { isPlaceTold } from '#src/domain/paper/exam.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import table from '#src/player/paper/Table.module.css'
import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Setting } from '#src/ui/Setting.tsx'
import { Empty } from '#src/ui/Empty.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { useFold } from '#src/ui/list/useFold.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'
import { Pending } from '../parts/Pending.tsx'
import { examRankQuery, useExamHead } from '../queries.ts'
import { beatenText, FEW_TEXT, LATE_TEXT, tookText } from '../texts.ts'
import classes from './Rank.module.css'

interface ExamRankPageProps {
  no: string
  /** As the address says, until the exam itself is known. */
  name: string
  applyCount: number
  onLeave: () => void
}

/** 排名: the first places and mine, as they were counted last. */
export function ExamRankPage({ no, name, applyCount, onLeave }: ExamRankPageProps) {
  const exam = useExamHead(no)
  const { data: rank, error, isPending, refetch } = useQuery(examRankQuery(no))
  useAtTop()
  return (
    <div className={listing.page}>
      <div className={classes.rank}>
        <BackButton onClick={onLeave}>返回考试</BackButton>
        <h1 className={listing.pageTitle}>{exam?.title ?? name}</h1>
        {isPending && <Skeleton />}
        {rank && <Rank rank={rank} applyCount={Math.max(exam?.applyCount ?? applyCount, rank.ranked)} />}
        {!rank && error instanceof RefusedError && <Pending state="待公布">{wordsOf(error)}。</Pending>}
        {!rank && error && !(error instanceof RefusedError) && (
          <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
        )}
      </div>
    </div>
  )
}

function Rank({ rank, applyCount }: { rank: ExamRank; applyCount: number }) {
  const { token } = useSession()
  const { asOf, ranked, average, top } = rank
  const told = isPlaceTold(rank)
  return (
    <>
      <p className={clsx(common.wrap, common.quiet, common.figures, classes.facts)}>
        <span>
          报名 {applyCount} 人 · 实考 {ranked} 人
        </span>
        {told && average !== null && <span>平均 {marksText(average)} 分</span>}
        <span>截至 {timeText(asOf)}</span>
      </p>
      {told && (token ? <Mine mine={rank.mine} /> : <Visitor />)}
      {top.length === 0 ? (
        <Empty of="medal" title="暂无排名">
          <p>用“真实”方式考完、按时交卷后，成绩会排在这里。</p>
        </Empty>
      ) : !told ? (
        <Empty of="medal" title="人数还不多">
          <p>{FEW_TEXT}</p>
        </Empty>
      ) : (
        <Places rank={rank} />
      )}
      {token && <Named no={rank.no} />}
    </>
  )
}

const MINE = clsx(common.wrap, common.sunken, common.figures, classes.mine)

function Visitor() {
  return (
    <p className={MINE}>
      <span>登录后查看自己的名次。</span>
      <Button small look="light" className={common.end} onClick={loginRequest.ask}>
        登录
      </Button>
    </p>
  )
}

function Mine({ mine }: Pick<ExamRank, 'mine'>) {
  if (!mine) return <p className={MINE}>暂无你的排名：仅统计首次以“真实”方式完成并按时交卷的成绩。</p>
  return (
    <p className={MINE}>
      <span>
        我的名次 <strong className={clsx(common.accent, classes.place)}>{mine.rank}</strong>
      </span>
      <span>{marksText(mine.score)} 分</span>
      {mine.beaten !== null && <span>击败 {beatenText(mine.beaten)} 的考生</span>}
    </p>
  )
}

const HEAD = clsx(common.caption, table.cell)
const ME = clsx(table.tag, classes.me)
const LATE = clsx(common.quiet, table.tag, classes.late)

/** So many places at first. */
const FIRST = 20

/** Ties have the same place, and me wherever I stand. */
function Places({ rank: { ranked, top, mine } }: { rank: ExamRank }) {
  const { shown, fold } = useFold(top, FIRST)
  const pinned = mine && !shown.some(({ me }) => me) ? mine : null
  return (
    <>
      <table className={clsx(common.figures, table.table)}>
        <caption className={clsx(common.caption, classes.caption)}>
          {ranked > top.length ? `只列前 ${top.length} 名；` : ''}同分并列；昵称已部分隐藏
          {top.some(({ late }) => late) && `；标“${LATE_TEXT[0]}”的，${LATE_TEXT[1]}`}
        </caption>
        <thead>
          <tr className={classes.row}>
            <th className={HEAD} scope="col">
              名次
            </th>
            <th className={clsx(common.caption, table.name)} scope="col">
              考生
            </th>
            <th className={HEAD} scope="col">
              得分
            </th>
            <th className={HEAD} scope="col">
              用时
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ rank, name, score, elapsedMs, late, me }, i) => (
            // Masked names repeat; places have no identity but their order.
            <tr key={i} className={classes.row} data-me={me || undefined} data-first={rank <= 3 || undefined}>
              <td className={table.cell}>{rank}</td>
              <th className={table.name} scope="row">
                {name}
                {me && <b className={ME}>我</b>}
                {late && <small className={LATE}>{LATE_TEXT[0]}</small>}
              </th>
              <td className={table.cell}>{marksText(score)}</td>
              <td className={table.cell}>{tookText(elapsedMs)}</td>
            </tr>
          ))}
          {pinned && (
            <tr className={classes.row} data-me data-pinned>
              <td className={table.cell}>{pinned.rank}</td>
              <th className={table.name} scope="row">
                <b className={ME}>我</b>
              </th>
              <td className={table.cell}>{marksText(pinned.score)}</td>
              <td className={table.cell}>{tookText(pinned.elapsedMs)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {fold}
    </>
  )
}

/** The nickname is shown to others with its student's consent alone, which can be taken back at the same place. */
function Named({ no }: { no: string }) {
  const client = useQueryClient()
  const { on, known, set } = useChoice('rankName', () => void client.invalidateQueries(examRankQuery(no)))
  return (
    <div className={classes.hide}>
      <Setting
        label="在排名里显示我的昵称"
        checked={on}
        hint={known ? '所有考试的排名都这样显示，昵称会隐藏一部分；不打开时显示为“匿名考生”' : '联网后可以更改'}
        onChange={set}
      />
    </div>
  )
}
