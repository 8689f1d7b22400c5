import { hashKey } from '@tanstack/react-query'
import { get } from 'idb-keyval'
import { sharedQuery } from '#src/api/query.ts'
import { question, type Statistic } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { chooseLapses, isUnfailed, type LapseParts, rankLapses } from '#src/domain/study/lapses.ts'
import { lapseRoomOf, type PlanSettings } from '#src/domain/study/plan.ts'
import type { MemoryModel } from '#src/domain/study/review.ts'
import type { Practice } from '#src/domain/study/stats.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { cacheStore } from '../device/cacheStore.ts'
import { readDraft } from '../drafts/kind.ts'
import { lapsesChosen } from '../drafts/practice.ts'
import type { Engine } from '../engine.ts'
import { statePages } from './pages.ts'
import { dealtOn } from './reviews.ts'

/** So many questions of the record are looked at a day, wherever they stand: a record of 30,000 has its round in 50 days. */
const LOOKED_AT = 600
/** Rows are read this many at a time, so that no tap waits for them. */
const READ_AT_ONCE = 200
/** The best of a round are remembered, by their numbers alone. */
const POOL = 100

type LapseRecord = Pick<Engine, 'owner' | 'states' | 'things' | 'loadDraft' | 'saveDraft'>
interface Day {
  today: number
  settings: PlanSettings
  practice: Practice
  /** The student remembers by it. */
  model: MemoryModel | undefined
  /** Answers of today. */
  answered: number
}

/** 防遗忘 of today. */
export interface TodaysLapses {
  /** Time that each is expected to take that is still to be done, ms, by number. */
  waiting: ReadonlyMap<string, number>
  /** Those of them that are in no batch of today yet. */
  undealt: ReadonlyMap<string, number>
  /** All of today, done or not. */
  chosen: number
}

/** Reads today's, which the first that asks on a day chooses. */
export async function readLapses(record: LapseRecord, day: Day): Promise<TodaysLapses> {
  const [costs, dealt] = await Promise.all([chosenFor(record, day), dealtOn(record, day.today)])
  const states = await record.states([...costs.keys()])
  const isWaiting = (no: string) => {
    const state = states.get(no)
    return state !== undefined && isUnfailed(state) && dayOf(state.lastAt) < day.today
  }
  const waiting = new Map([...costs].filter(([no]) => isWaiting(no)))
  return {
    waiting,
    undealt: new Map([...waiting].filter(([no]) => !dealt.nos.includes(no))),
    chosen: costs.size,
  }
}

async function chosenFor(record: LapseRecord, day: Day): Promise<Map<string, number>> {
  const { today, settings, practice, answered, model } = day
  const saved = await readDraft(record, lapsesChosen, lapsesChosen.key())
  const isToday = saved?.day === today
  const { lapseShare: share, minutesADay: minutes, examDay } = settings
  // More than was answered today: a record that came since, to a new device say, was not looked at.
  const hasGrown = isToday && practice.done - saved.done > answered
  if (isToday && !hasGrown && saved.share === share && saved.minutes === minutes)
    return new Map(Object.entries(saved.ms))
  const parts = { today, examDay, practice, model, averages: new Map<string, number>() }
  const pool = [...(await record.states(saved?.pool ?? [])).values()]
  const looked =
    isToday && !hasGrown ? { best: pool, lookedTo: saved.lookedTo } : await lookOn(record, pool, saved?.lookedTo, parts)
  // Questions that were dealt already today take their part of the share.
  const { nos } = await dealtOn(record, today)
  const kept = new Map(Object.entries(isToday ? saved.ms : {}).filter(([no]) => nos.includes(no)))
  const room = lapseRoomOf(settings)
  const left = {
    ms: room.ms - [...kept.values()].reduce((sum, cost) => sum + cost, 0),
    most: Math.max(0, room.most - kept.size),
  }
  const candidates = looked.best.filter(({ questionNo }) => !kept.has(questionNo))
  await addAverages(record.owner, candidates, parts.averages)
  const costs = new Map([...kept, ...chooseLapses(candidates, { ...parts, ...left }).ms])
  const value = {
    day: today,
    share,
    minutes,
    done: practice.done,
    ms: Object.fromEntries(costs),
    pool: looked.best.map(({ questionNo }) => questionNo),
    lookedTo: looked.lookedTo,
  }
  // A device that is full chooses the same once more.
  await record.saveDraft({ key: lapsesChosen.key(), value }).catch(() => {})
  return costs
}

interface Looked {
  best: StudyState[]
  /** Looking goes on behind it; '' begins a new round. */
  lookedTo: string
}

/** Looks at the next part of the record, and keeps the best of it and of what was there before. */
async function lookOn(
  { owner }: LapseRecord,
  pool: readonly StudyState[],
  from = '',
  parts: LapseParts & { averages: Map<string, number> },
): Promise<Looked> {
  let best = [...pool]
  let [seen, lookedTo] = [0, from]
  for await (const page of statePages(owner, READ_AT_ONCE, from)) {
    const there = new Map([...best, ...page].map((state) => [state.questionNo, state]))
    await addAverages(owner, page, parts.averages)
    best = rankLapses([...there.values()], parts)
      .slice(0, POOL)
      .map(({ state }) => state)
    seen += READ_AT_ONCE
    lookedTo = page.at(-1)?.questionNo ?? lookedTo
    if (seen >= LOOKED_AT) return { best, lookedTo }
  }
  return { best, lookedTo: '' }
}

/** Adds what is kept on this device of how all students answered the questions of these chapters: it is asked of nobody. */
async function addAverages(owner: string, states: readonly StudyState[], into: Map<string, number>): Promise<void> {
  const unknown = states.filter((state) => isUnfailed(state) && !into.has(state.questionNo))
  const chapters = [...new Set(unknown.flatMap(({ chapterNo }) => chapterNo ?? []))]
  const store = cacheStore(owner)
  const kept = async (no: string): Promise<Statistic[]> => {
    const row = await get<string>(`q-${hashKey(sharedQuery(question.stats, { no }).queryKey)}`, store)
    return row === undefined ? [] : JSON.parse(row).state.data
  }
  for (const list of await Promise.all(chapters.map((no) => kept(no).catch(() => []))))
    for (const { no, right } of list) into.set(no, right)
}
