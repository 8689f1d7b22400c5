import { clsx } from 'clsx'
import { useQuery } from '@tanstack/react-query'
import type { ExamHead } from '#src/contract/exam.ts'
import { bySchedule, examState, mayApply } from '#src/domain/paper/exam.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { Badges } from '#src/ui/list/Badges.tsx'
import { Empty } from '#src/ui/Empty.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import common from '#src/ui/common.module.css'
import { useEntryChoice } from '#src/ui/list/entry.ts'
import { Listed } from '#src/ui/list/Listed.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { State } from './parts/State.tsx'
import { examListQuery } from './queries.ts'
import { KIND_NAMES, windowText } from './texts.ts'

const TICK_MS = 15_000
const TABS = {
  全部: () => true,
  可报名: mayApply,
  进行中: (exam, now) => examState(exam, now) === 'running',
  已结束: (exam, now) => examState(exam, now) === 'over',
  我的: ({ applied }) => applied,
} satisfies Record<string, (exam: ExamHead, now: number) => boolean>
type Tab = keyof typeof TABS
const NAMES = Object.keys(TABS) as Tab[]

interface ExamListPageProps {
  onOpen: (no: string) => void
}

/** 模拟考试: by what can be done with them now. */
export function ExamListPage({ onOpen }: ExamListPageProps) {
  const from = useQuery(examListQuery())
  const now = useServerNow(TICK_MS)
  const [tab, setTab] = useEntryChoice<Tab>('tab', NAMES, '全部')
  const shown = from.data?.filter((exam) => TABS[tab](exam, now)).sort(bySchedule(now)) ?? []
  return (
    <div className={clsx(listing.page, listing.wide)}>
      <h1 className={listing.pageTitle}>模拟考试</h1>
      <Chips
        label="考试状态"
        options={NAMES.map((name) => ({ value: name, label: name }))}
        chosen={tab}
        onPick={setTab}
      />
      <Listed
        name={tab}
        from={from}
        rows={shown}
        keyOf={({ no }) => no}
        empty={tab === '我的' ? <NoneMine /> : undefined}
      >
        {(exam) => <ExamCard exam={exam} now={now} onOpen={() => onOpen(exam.no)} />}
      </Listed>
    </div>
  )
}

const NoneMine = () => (
  <Empty of="medal" title="还没有报名">
    <p>报名后，考试会出现在这里。</p>
  </Empty>
)

function ExamCard({ exam, now, onOpen }: { exam: ExamHead; now: number; onOpen: () => void }) {
  return (
    <button type="button" className={listing.card} onClick={onOpen}>
      <Badges kind={KIND_NAMES[exam.kind]} of={exam}>
        <State exam={exam} now={now} />
      </Badges>
      <strong className={common.subheading}>{exam.title}</strong>
      <span className={listing.facts}>{windowText(exam.window, now)}</span>
      <span className={listing.facts}>
        <span>{exam.minutes} 分钟</span>
        <span>{exam.count} 题</span>
        <span>满分 {marksText(exam.full)} 分</span>
        {exam.applyCount > 0 && <span>{exam.applyCount} 人报名</span>}
      </span>
    </button>
  )
}
