import type { Response } from '#src/contract/response.ts'
import type { StudyState } from '#src/contract/study.ts'
import { dateOf, dayOf, startOf } from '#src/domain/time/day.ts'
import { CAUSE_NAMES, PHASE_NAMES, phaseIn } from '#src/domain/study/errorBook.ts'

type Cells = (string | number)[]
interface Table {
  title: string
  /** Behind those of the question itself. */
  columns: readonly string[]
  rows: (state: StudyState, rule: number) => Cells[]
}

/** 2026-11-22 09:30, of Beijing; '' for none. */
export function momentText(at: number): string {
  if (!at) return ''
  const day = dayOf(at)
  return `${dateOf(day)} ${new Date(at - startOf(day)).toISOString().slice(11, 16)}`
}

/** As a student would write it: AC, 对, the texts of blanks, an essay's own. */
export function responseText(response: Response | null, type: StudyState['type']): string {
  switch (response?.kind) {
    case undefined:
      return ''
    case 'essay':
      return response.text
    case 'blank':
      return response.texts.join('；')
    case 'order':
      return response.ids.join('→')
    case 'choice': {
      const letters = [...response.ids].sort().join('')
      return type === 'judge' ? letters.replace('A', '对').replace('B', '错') : letters
    }
  }
}

const lastOf = (state: StudyState): Cells => [
  state.times,
  state.wrong,
  state.times === 0 ? '' : state.lastRight ? '对' : '错',
  responseText(state.lastResponse, state.type),
  momentText(state.lastAt),
]
const LAST = ['作答次数', '答错次数', '最近结果', '最近答案', '最近作答时间']

/** What can be had as a table: each a file of its own, because a spreadsheet opens no other. */
export const TABLES = {
  book: {
    title: '错题',
    columns: [...LAST, '状态', '错因', '进入错题本时间'],
    rows: (state, rule) => {
      const phase = phaseIn(state, rule)
      if (!phase) return []
      const cause = state.cause ? CAUSE_NAMES[state.cause] : ''
      return [[...lastOf(state), PHASE_NAMES[phase], cause, momentText(state.book?.since ?? 0)]]
    },
  },
  collected: {
    title: '收藏',
    columns: ['收藏时间'],
    rows: ({ collected }) => (collected?.length ? [[momentText(Math.max(...collected.map(({ at }) => at)))]] : []),
  },
  noted: {
    title: '笔记',
    columns: ['笔记', '时间'],
    rows: ({ notes = [] }) => notes.map(({ text, at }) => [text, momentText(at)]),
  },
  answers: {
    title: '作答',
    columns: [...LAST, '用时（秒）'],
    rows: (state) => (state.times > 0 ? [[...lastOf(state), Math.round(state.spentMs / 1000)]] : []),
  },
} as const satisfies Record<string, Table>
export type TableName = keyof typeof TABLES

/** What only the server has. */
export const ONLINE_NAMES = {
  orders: '订单',
  walletRecords: '钱包记录',
  coupons: '优惠券',
  addresses: '收货地址',
  remindedDevices: '推送提醒的设备',
  consents: '同意记录',
} as const
export type OnlineName = keyof typeof ONLINE_NAMES
