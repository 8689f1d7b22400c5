import type { OpPayload } from '#src/contract/study.ts'
import type { OpKind } from '#src/contract/sync.ts'

/** What students call what they did. */
const KINDS: Record<OpKind, string> = {
  answer: '作答',
  retract: '撤销作答',
  book: '错题本',
  cause: '错因标记',
  collect: '收藏',
  note: '笔记',
  folder: '收藏夹',
  setting: '设置',
  handIn: '交卷',
  selfMark: '主观题自评',
  report: '纠错',
  examBegin: '开始考试',
  examChoice: '考试作答',
  examHandIn: '考试交卷',
  watch: '课程学习',
  lessonNote: '课时笔记',
}
const SETTING_NAMES: Record<OpPayload<'setting'>['name'], string> = {
  errorRule: '错题移出规则',
  dayGoal: '每日目标',
  minutesADay: '每日复习时间',
  lapseShare: '防遗忘比例',
  examDate: '考试日期',
  noticesSeen: '消息已读',
  repliesSeen: '纠错回复已读',
  dailyDone: '每日一练',
  reviewsDealt: '今日复习',
  rankHidden: '匿名参与排名',
  reminderAt: '每日提醒',
  reminderQuiet: '免打扰时段',
}
const isKnown = <T extends object>(names: T, name: unknown): name is keyof T & string =>
  typeof name === 'string' && Object.hasOwn(names, name)

const kindName = (kind: string): string => (isKnown(KINDS, kind) ? KINDS[kind] : '其他操作')

/** What one op was, by its kind and what it says; a row that cannot be read may say anything. */
export function opName({ kind, payload }: { kind: string; payload: unknown }): string {
  const says: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  switch (kind) {
    case 'book':
      return says.in === false ? '移出错题本' : '加入错题本'
    case 'cause':
      return says.cause === '' ? '取消错因标记' : '错因标记'
    case 'collect':
      return says.folder === null ? '取消收藏' : '收藏'
    case 'note':
      return says.text === '' ? '删除笔记' : '笔记'
    case 'lessonNote':
      return says.text === '' ? '删除课时笔记' : '课时笔记'
    case 'folder':
      return says.name === '' ? '删除收藏夹' : `收藏夹“${String(says.name)}”`
    case 'setting':
      return isKnown(SETTING_NAMES, says.name) ? `设置：${SETTING_NAMES[says.name]}` : '设置'
    default:
      return kindName(kind)
  }
}

/** 作答 86、笔记 2: how many of each kind, the most first. */
export function countedKinds(ops: readonly { kind: string }[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of ops) counts.set(kindName(kind), (counts.get(kindName(kind)) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join('、')
}
