import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { SetHead } from '#src/contract/questionSet.ts'
import common from '#src/ui/common.module.css'
import { Badges } from '#src/ui/list/Badges.tsx'
import { useEntryChoice } from '#src/ui/list/entry.ts'
import { Listed } from '#src/ui/list/Listed.tsx'
import { setListQuery } from './queries.ts'
import { KIND_NAMES } from './texts.ts'
import { bestText, pastOf, type Progress, useProgress, wholeOf } from '#src/sitting/useProgress.ts'
import { Chips } from '#src/ui/list/Chips.tsx'
import listing from '#src/ui/list/Listing.module.css'

const TABS = ['all', 'past', 'mock', 'special', 'testing'] as const
type Tab = (typeof TABS)[number]
const tabName = (tab: Tab): string => (tab === 'all' ? '全部' : tab === 'testing' ? '测评' : KIND_NAMES[tab])

interface SetListPageProps {
  /** What is shown first. */
  initial: Tab
  onOpen: (no: string) => void
  /** 测评 are papers, too: after the sets, and by themselves. */
  testings: { items: ReactNode; list: ReactNode }
}

/** 题集: papers by kind, with what they cost and how far the student has come. */
export function SetListPage({ initial, onOpen, testings }: SetListPageProps) {
  const from = useQuery(setListQuery())
  const progress = useProgress()
  const [tab, setTab] = useEntryChoice('tab', TABS, initial)
  const { data: sets } = from
  return (
    <div className={clsx(listing.page, listing.wide)}>
      <h1 className={listing.pageTitle}>题集</h1>
      <Chips
        label="题集类型"
        options={TABS.map((each) => ({ value: each, label: tabName(each) }))}
        chosen={tab}
        onPick={setTab}
      />
      {tab === 'testing' || (tab === 'all' && sets?.length === 0) ? (
        testings.list
      ) : (
        <Listed
          name={tab}
          from={from}
          rows={sets?.filter(({ kind }) => tab === 'all' || kind === tab) ?? []}
          keyOf={({ no }) => no}
          after={tab === 'all' && testings.items}
        >
          {(set) => <SetCard set={set} progress={progress} onOpen={() => onOpen(set.no)} />}
        </Listed>
      )}
    </div>
  )
}

function SetCard({ set, progress, onOpen }: { set: SetHead; progress: Progress | null; onOpen: () => void }) {
  const past = progress ? set.papers.map((no) => pastOf(progress, no)) : []
  const done = past.filter((each) => wholeOf(each).length > 0).length
  const best = bestText(past.flat())
  return (
    <button type="button" className={listing.card} onClick={onOpen}>
      <Badges kind={KIND_NAMES[set.kind]} of={set} />
      <strong className={common.subheading}>{set.title}</strong>
      <span className={listing.facts}>
        <span>
          {set.papers.length} 套 · {set.count} 题
        </span>
        {progress && (done > 0 || !best) && <span>{done > 0 ? `已做 ${done}/${set.papers.length} 套` : '未做'}</span>}
        {best && <span>{best}</span>}
      </span>
    </button>
  )
}
