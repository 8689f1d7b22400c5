import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { SetDetail } from '#src/contract/questionSet.ts'
import { MODE_NAMES, type StudyMode } from '#src/domain/study/modes.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { Listed } from '#src/ui/list/Listed.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { setPolicy } from './policy.ts'
import { setQuery } from './queries.ts'
import { placeOf } from '#src/sitting/engine/sheet.ts'
import { chooseMode } from '#src/sitting/engine/chosenMode.ts'
import { beginAt } from '#src/sitting/engine/open.ts'
import { type Begun, bestText, type Past, pastOf, type Progress, useProgress } from '#src/sitting/useProgress.ts'
import listing from '#src/ui/list/Listing.module.css'
import classes from './Sets.module.css'

interface Place {
  no: string
  itemNo: string
  title: string
  /** A sitting that was handed in. */
  past?: string
}
interface MySetsPageProps {
  onStudy: (place: Place) => void
  onList: () => void
}

/** 我的题集: what was begun or finished, the newest first, from this device's own record. */
export function MySetsPage({ onStudy, onList }: MySetsPageProps) {
  const progress = useProgress()
  const mine = progress ? mineOf(progress) : []
  const found = useQueries({ queries: mine.map(({ no }) => setQuery(no)) })
  const details = new Map(mine.map(({ no }, i) => [no, found[i]]))
  if (!progress) return <Skeleton />
  return (
    <>
      <h1 className={clsx(common.heading, classes.heading)}>我的题集</h1>
      <Listed
        rows={mine}
        keyOf={({ no }) => no}
        rowClass={common.card}
        empty={
          <Empty of="paper" title="还没有做过题集">
            <p>挑一套开始，进度和成绩会留在这里，没有网络也能看。</p>
            <Button onClick={onList}>去选题集</Button>
          </Empty>
        }
      >
        {(set) => <MySet set={set} detail={details.get(set.no)} onStudy={onStudy} />}
      </Listed>
    </>
  )
}

interface MyPaper {
  itemNo: string
  /** The newest first. */
  past: Past[]
  /** In any mode, the newest first; none of them handed in. */
  begun: Begun[]
}
interface MySetEntry {
  no: string
  papers: MyPaper[]
}

function mineOf(progress: Progress): MySetEntry[] {
  const past = progress.past.filter(({ paper }) => paper.of === 'set')
  const open = progress.begun
    .filter(({ of, handedIn }) => of === 'set' && !handedIn)
    .sort((a, b) => b.startedAt - a.startedAt)
  const places = [
    ...past.map(({ paper, handedAt }) => ({ ...placeOf(paper), at: handedAt })),
    ...open.map(({ setNo, itemNo, startedAt }) => ({ no: setNo, itemNo, at: startedAt })),
  ].sort((a, b) => b.at - a.at)
  const sets = new Map<string, string[]>()
  for (const { no, itemNo } of places) {
    const items = sets.get(no) ?? []
    if (!items.includes(itemNo)) sets.set(no, [...items, itemNo])
  }
  const paper = (itemNo: string): MyPaper => ({
    itemNo,
    past: pastOf(progress, itemNo),
    begun: open.filter((each) => each.itemNo === itemNo),
  })
  return [...sets].map(([no, items]) => ({ no, papers: items.map(paper) }))
}

interface MySetProps {
  set: MySetEntry
  /** Without data: it comes, or this device does not have it. */
  detail: Pick<UseQueryResult<SetDetail>, 'data' | 'isError'> | undefined
  onStudy: (place: Place) => void
}

function MySet({ set, detail, onStudy }: MySetProps) {
  const { data, isError = false } = detail ?? {}
  return (
    <>
      <h2 className={common.subheading}>{data?.title ?? (isError ? '题集名称联网后显示' : '正在加载...')}</h2>
      {set.papers.map((paper) => {
        const title = data?.items.find(({ no }) => no === paper.itemNo)?.title ?? (data ? '已下架的套卷' : '套卷')
        const place = { no: set.no, itemNo: paper.itemNo, title }
        return <MyPaperRow key={paper.itemNo} paper={paper} place={place} onStudy={onStudy} />
      })}
    </>
  )
}

function MyPaperRow({ paper, place, onStudy }: { paper: MyPaper; place: Place; onStudy: (place: Place) => void }) {
  const { past, begun } = paper
  const [best, last, left] = [bestText(past, true), past[0], begun[0]]
  const study = (mode: StudyMode) => void chooseMode(place.itemNo, mode).then(() => onStudy(place))
  const again = (mode: StudyMode) => void beginAt(setPolicy, place, mode).then(() => onStudy(place))
  return (
    <div className={clsx(common.between, classes.row)}>
      <div>
        <b>{place.title}</b>
        <p className={listing.facts}>
          {best && <span>{best}</span>}
          {left && (
            <span>
              {MODE_NAMES[left.mode]}：已答 {left.answered}/{left.total} 题
            </span>
          )}
        </p>
      </div>
      <div className={common.wrap}>
        {left && (
          <Button small onClick={() => study(left.mode)} aria-label={`继续 ${place.title}`}>
            继续
          </Button>
        )}
        {!left && last && (
          <Button small onClick={() => again(last.mode)} aria-label={`再做一遍 ${place.title}`}>
            再做一遍
          </Button>
        )}
        {last && (
          <Button
            small
            look="light"
            onClick={() => onStudy({ ...place, past: last.id })}
            aria-label={`查看报告 ${place.title}`}
          >
            查看报告
          </Button>
        )}
      </div>
    </div>
  )
}
