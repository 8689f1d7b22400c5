import * as v from 'valibot'
import { QUESTION_TYPES, TYPE_NAMES } from '#src/contract/question.ts'
import { deviceMemory } from '#src/ui/memory.ts'
import { SETUP } from './dealt.ts'

export const PICKS = { undone: '只做未做', wrong: '只做错题', all: '全部' } as const

/** 练习设置: what to deal and how. */
const Setup = v.object({
  order: v.fallback(v.picklist(['reading', 'random']), 'reading'),
  pick: v.fallback(v.picklist(['undone', 'wrong', 'all']), 'undone'),
  /** 全部 deals each question once from then on; what was answered since counts as done. */
  since: v.fallback(v.number(), 0),
  types: v.fallback(v.array(v.picklist(QUESTION_TYPES)), []),
  minDifficulty: v.fallback(v.picklist([1, 2, 3, 4, 5]), 1),
  /** The batch ends after so long; 0: when all is done. */
  minutes: v.fallback(v.picklist([0, 5, 10, 20]), 0),
  mode: v.fallback(v.picklist(['practice', 'recite']), 'practice'),
  /** The chapter or library that years and points were chosen in: in another they mean nothing. */
  of: v.fallback(v.string(), ''),
  years: v.fallback(v.array(v.number()), []),
  points: v.fallback(v.array(v.string()), []),
})
export type Setup = v.InferOutput<typeof Setup>
export const ORDINARY: Setup = v.parse(Setup, {})

/** As it was last chosen on this device. */
export function loadSetup(no: string): Setup {
  try {
    const setup = v.parse(Setup, JSON.parse(deviceMemory.get(SETUP) || '{}'))
    return setup.of === no ? setup : { ...setup, of: no, years: [], points: [] }
  } catch {
    return { ...ORDINARY, of: no }
  }
}

export function saveSetup(setup: Setup): void {
  deviceMemory.set(SETUP, choiceOf(setup) === '' && setup.mode === 'practice' ? '' : JSON.stringify(setup))
}
export const resetSetup = (): void => deviceMemory.set(SETUP, '')

/** To compare two set-ups by what they deal; '' is the ordinary one. */
export function choiceOf(setup: Setup): string {
  const { order, pick, types, minDifficulty, minutes, years, points } = setup
  const parts = [
    order,
    pick,
    [...types].sort(),
    minDifficulty,
    minutes,
    [...years].sort((a, b) => a - b),
    [...points].sort(),
  ]
  const key = JSON.stringify(parts)
  return key === '["reading","undone",[],1,0,[],[]]' ? '' : key
}

/** In one line: 乱序 · 单选题 · 难度≥3. */
export function describe(setup: Setup): string {
  return [
    setup.order === 'random' && '乱序',
    setup.pick !== 'undone' && PICKS[setup.pick],
    ...setup.types.map((type) => TYPE_NAMES[type]),
    setup.minDifficulty > 1 && `难度≥${setup.minDifficulty}`,
    setup.years.length > 0 && setup.years.map((year) => (year === 0 ? '无年份' : `${year}年`)).join('、'),
    setup.points.length > 0 && `${setup.points.length} 个知识点`,
    setup.minutes > 0 && `${setup.minutes} 分钟`,
    setup.mode === 'recite' && '背题',
  ]
    .filter(Boolean)
    .join(' · ')
}
