import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from 'react'
import { serverNow } from '#src/offline/device/serverClock.ts'
import type { PlayerState } from '#src/player/playerState.ts'
import { LISTED_TYPES, TYPE_NAMES } from '#src/contract/question.ts'
import { MODE_NAMES, MODES } from '#src/domain/study/modes.ts'
import { CHAPTER_COUNTS, session } from '#src/session/session.ts'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { type Known, readFacts } from '../facts.ts'
import { mayDrop } from '../mayDrop.ts'
import { createCounter, type FacetName, type Tally } from '../selection.ts'
import { describe, loadSetup, ORDINARY, PICKS, saveSetup, type Setup } from '../setup.ts'
import classes from './Setup.module.css'

interface SetupSheetProps {
  /** A chapter or a library. */
  no: string
  /** What it would replace. */
  before?: PlayerState
  onStart: (size: number) => void
  onClose: () => void
}

/** 练习设置: what the next batch holds, with how many questions there are for it; remembered on this device. */
export function SetupSheet({ no, before, onStart, onClose }: SetupSheetProps) {
  const [setup, setSetup] = useState(() => loadSetup(no))
  const [size, setSize] = useState<number>(session.get().chapterCount)
  const known = useKnown(no)
  const counter = useMemo(() => createCounter(setup), [setup])
  const tally = counter(known?.units ?? [])
  const done = known !== null && known.read === known.blocks
  const start = async () => {
    if (before && !(await mayDrop(before))) return
    saveSetup(setup)
    const chosen = CHAPTER_COUNTS.find((each) => each === size)
    if (chosen) session.setChapterCount(chosen)
    onStart(size)
  }
  return (
    <Dialog title="练习设置" sheet full onClose={onClose}>
      <Ways setup={setup} change={setSetup} tally={tally} />
      <Filters setup={setup} change={setSetup} tally={tally} points={known?.points ?? NO_POINTS} />
      <Length setup={setup} change={setSetup} size={size} onSize={setSize} />
      <div className={clsx(common.wrap, classes.foot)}>
        <p role="status" className={clsx(common.figures, classes.matching)}>
          {!known ? '正在统计…' : `符合条件 ${tally.total} 题`}
          {known && !done && `，正在统计… ${Math.round((known.read / known.blocks) * 100)}%`}
          {known && known.unknown > 0 && `（另有 ${known.unknown} 题还没有下载，未计入）`}
        </p>
        <Button look="quiet" tone="plain" onClick={() => setSetup({ ...ORDINARY, of: no })}>
          恢复默认
        </Button>
        <Button
          className={classes.start}
          disabled={done && tally.total === 0 && known.unknown === 0}
          onClick={() => void start()}
        >
          {describe(setup) === '' ? '开始练习' : '按此设置开始'}
        </Button>
      </div>
    </Dialog>
  )
}
const NO_POINTS: ReadonlyMap<string, string> = new Map()

function useKnown(no: string): Known | null {
  const client = useQueryClient()
  const [known, setKnown] = useState<Known | null>(null)
  useEffect(() => {
    const ending = new AbortController()
    const none = { units: [], points: NO_POINTS, read: 0, blocks: 0, unknown: 0 }
    readFacts(client, no, setKnown, ending.signal).catch(() => setKnown(none))
    return () => ending.abort()
  }, [client, no])
  return known
}

interface PartProps {
  setup: Setup
  change: Dispatch<SetStateAction<Setup>>
  tally: Tally
}

function Ways({ setup, change, tally }: PartProps) {
  const set = (patch: Partial<Setup>) => change((old) => ({ ...old, ...patch }))
  return (
    <>
      <Choices
        title="范围"
        options={(['undone', 'wrong', 'collected', 'all'] as const).map((value) => ({
          value,
          label: PICKS[value],
          note: String(tally.by.pick.get(value) ?? 0),
        }))}
        chosen={[setup.pick]}
        onPick={(pick) => set({ pick, since: pick === 'all' || pick === 'collected' ? serverNow() : 0 })}
      />
      <Way setup={setup} change={change} reading="按章节顺序" />
    </>
  )
}

interface WayProps extends Omit<PartProps, 'tally'> {
  /** What the order is called that is not by chance; null: there is no other. */
  reading: string | null
}

function Way({ setup, change, reading }: WayProps) {
  const set = (patch: Partial<Setup>) => change((old) => ({ ...old, ...patch }))
  return (
    <>
      {reading !== null && (
        <Choices
          title="顺序"
          options={[
            { value: 'reading', label: reading },
            { value: 'random', label: '乱序' },
          ]}
          chosen={[setup.order]}
          onPick={(order) => set({ order })}
        />
      )}
      <Choices
        title="方式"
        options={MODES.map((value) => ({ value, label: MODE_NAMES[value] }))}
        chosen={[setup.mode]}
        onPick={(mode) => set({ mode })}
      />
    </>
  )
}

/** 练习设置 of a list of the student's own, which holds what it holds; of an `ordered` one in an order of its own. */
export function WaySheet({
  ordered,
  before,
  onStart,
  onClose,
}: {
  ordered: boolean | undefined
  before: PlayerState
  onStart: () => void
  onClose: () => void
}) {
  const [setup, setSetup] = useState(() => loadSetup(''))
  const start = async () => {
    if (!(await mayDrop(before))) return
    saveSetup(setup)
    onStart()
  }
  return (
    <Dialog title="练习设置" sheet onClose={onClose}>
      <Way setup={setup} change={setSetup} reading={ordered ? null : '按列表顺序'} />
      <Button onClick={() => void start()}>按此设置开始</Button>
    </Dialog>
  )
}

const toggled = <T,>(list: readonly T[], value: T): T[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value]

function Filters({ setup, change, tally, points }: PartProps & { points: ReadonlyMap<string, string> }) {
  const noted = <T extends string | number>(facet: FacetName, value: T, label: string) => ({
    value,
    label,
    note: String(tally.by[facet].get(value) ?? 0),
  })
  /** What occurs, and what is chosen although nothing of it is left. */
  const valuesOf = <T extends string | number>(facet: FacetName, all: readonly T[], chosen: readonly T[]) =>
    all.filter((value) => tally.by[facet].has(value) || chosen.includes(value))
  // Of a year that is chosen there may be nothing left.
  const years = [...new Set([...tally.by.year.keys(), ...setup.years])]
    .filter((year) => typeof year === 'number')
    .sort((a, b) => b - a)
  const types = valuesOf('type', LISTED_TYPES, setup.types)
  return (
    <>
      <Choices
        many
        title="题型（不选为全部）"
        options={types.map((type) => noted('type', type, TYPE_NAMES[type]))}
        chosen={setup.types}
        onPick={(type) => change((old) => ({ ...old, types: toggled(old.types, type) }))}
      />
      <Choices
        title="难度"
        options={([1, 2, 3, 4, 5] as const).map((level) =>
          noted('difficulty', level, level === 1 ? '不限' : `${level} 星及以上`),
        )}
        chosen={[setup.minDifficulty]}
        onPick={(minDifficulty) => change((old) => ({ ...old, minDifficulty }))}
      />
      {(years.length > 1 || setup.years.length > 0) && (
        <Choices
          many
          title="年份（不选为全部）"
          options={years.map((year) => noted('year', year, year === 0 ? '无年份' : `${year}年`))}
          chosen={setup.years}
          onPick={(year) => change((old) => ({ ...old, years: toggled(old.years, year) }))}
        />
      )}
      {points.size > 1 && (
        <details className={classes.points} open={setup.points.length > 0}>
          <summary className={clsx(common.strong, classes.summary)}>
            知识点{setup.points.length > 0 ? `（已选 ${setup.points.length} 个）` : '（不选为全部）'}
          </summary>
          <Choices
            many
            title="知识点"
            options={[...points].map(([no, name]) => noted('point', no, name))}
            chosen={setup.points}
            onPick={(point) => change((old) => ({ ...old, points: toggled(old.points, point) }))}
          />
        </details>
      )}
    </>
  )
}

interface LengthProps extends Omit<PartProps, 'tally'> {
  size: number
  onSize: (size: number) => void
}

/** By count or by time: `n` or `n` 分钟. */
function Length({ setup, change, size, onSize }: LengthProps) {
  return (
    <Choices
      title="长度"
      options={[
        ...CHAPTER_COUNTS.map((value) => ({ value: String(value), label: `${value} 题` })),
        { value: String(ALL), label: '全部' },
        ...([5, 10, 20] as const).map((value) => ({ value: `m${value}`, label: `${value} 分钟` })),
      ]}
      chosen={[setup.minutes > 0 ? `m${setup.minutes}` : String(size)]}
      onPick={(value) => {
        const minutes = ([5, 10, 20] as const).find((each) => value === `m${each}`) ?? 0
        change((old) => ({ ...old, minutes }))
        if (minutes === 0) onSize(Number(value))
      }}
    />
  )
}

/** 全部: as many as one batch can hold and a phone still saves at each answer. */
const ALL = 500
