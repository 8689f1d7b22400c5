import { DEVICE_KEYS } from '#src/device/keys.ts'
import * as v from 'valibot'
import { LISTED_TYPES, TYPE_NAMES } from '#src/contract/question.ts'
import { MODE_NAMES, MODES } from '#src/domain/study/modes.ts'
import { deviceMemory } from '#src/device/stores.ts'

export const PICKS = { undone: '只做未做', wrong: '只做错题', collected: '只做收藏', all: '全部' } as const

/** How to deal, wherever the student studies. */
const HOW = {
  order: v.fallback(v.picklist(['reading', 'random']), 'reading'),
  /** The batch ends after so long; 0: when all is done. */
  minutes: v.fallback(v.picklist([0, 5, 10, 20]), 0),
  mode: v.fallback(v.picklist(MODES), 'practice'),
}
/** What to deal, of the chapter or library that it was chosen in and no other. */
const WHAT = {
  of: v.fallback(v.string(), ''),
  pick: v.fallback(v.picklist(['undone', 'wrong', 'collected', 'all']), 'undone'),
  /** 全部 and 只做收藏 deal each question once from then on; what was answered since counts as done. */
  since: v.fallback(v.number(), 0),
  types: v.fallback(v.array(v.picklist(LISTED_TYPES)), []),
  minDifficulty: v.fallback(v.picklist([1, 2, 3, 4, 5]), 1),
  years: v.fallback(v.array(v.number()), []),
  points: v.fallback(v.array(v.string()), []),
}
/** 练习设置 of one place. */
const Setup = v.object({ ...HOW, ...WHAT })
export type Setup = v.InferOutput<typeof Setup>
export const ORDINARY: Setup = v.parse(Setup, {})

const Kept = v.object({ ...HOW, filters: v.fallback(v.array(v.object(WHAT)), []) })
/** Of so many places, the newest, a choice is remembered. */
const PLACES_MAX = 100

function readKept(): v.InferOutput<typeof Kept> {
  try {
    return v.parse(Kept, JSON.parse(deviceMemory.get(DEVICE_KEYS.batchSetup) || '{}'))
  } catch {
    return v.parse(Kept, {})
  }
}

/** As it was last chosen on this device. */
export function loadSetup(no: string): Setup {
  const { filters, ...how } = readKept()
  return { ...ORDINARY, ...filters.find(({ of }) => of === no), ...how, of: no }
}

export function saveSetup({ order, minutes, mode, ...what }: Setup): void {
  const others = readKept().filters.filter(({ of }) => of !== what.of)
  const own = choiceOf({ ...ORDINARY, ...what }) === '' ? [] : [what]
  const filters = [...others, ...own].slice(-PLACES_MAX)
  const isPlain = filters.length === 0 && order === 'reading' && minutes === 0 && mode === 'practice'
  deviceMemory.set(DEVICE_KEYS.batchSetup, isPlain ? '' : JSON.stringify({ order, minutes, mode, filters }))
}
export const resetSetup = (no: string): void => saveSetup({ ...ORDINARY, of: no })

/** To compare two set-ups by what they deal, and whether it is an exam; '' is the ordinary one. */
export function choiceOf(setup: Setup): string {
  const { order, pick, types, minDifficulty, minutes, years, points, mode } = setup
  const parts = [
    order,
    pick,
    [...types].sort(),
    minDifficulty,
    minutes,
    [...years].sort((a, b) => a - b),
    [...points].sort(),
    ...(mode === 'exam' ? [mode] : []),
  ]
  const key = JSON.stringify(parts)
  return key === '["reading","undone",[],1,0,[],[]]' ? '' : key
}

/** Says it in one line: 乱序 · 单选题 · 3 星及以上. */
export function describe(setup: Setup): string {
  return [
    setup.order === 'random' && '乱序',
    setup.pick !== 'undone' && PICKS[setup.pick],
    ...setup.types.map((type) => TYPE_NAMES[type]),
    setup.minDifficulty > 1 && `${setup.minDifficulty} 星及以上`,
    setup.years.length > 0 && setup.years.map((year) => (year === 0 ? '无年份' : `${year}年`)).join('、'),
    setup.points.length > 0 && `${setup.points.length} 个知识点`,
    setup.minutes > 0 && `${setup.minutes} 分钟`,
    setup.mode !== 'practice' && MODE_NAMES[setup.mode],
  ]
    .filter(Boolean)
    .join(' · ')
}
