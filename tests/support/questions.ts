import type {
  BlankQuestion,
  ChoiceQuestion,
  CompositeQuestion,
  EssayQuestion,
  OrderQuestion,
  PlainQuestion,
  Question,
} from '#src/contract/question.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { type Item, itemsOf } from '#src/player/playerState.ts'

/** Ready questions of every type; what a test is about is passed in. */
const common = (no: string) => ({
  no,
  stem: `<p>${no} 的题干</p>`,
  analysis: `<p>${no} 的解析</p>`,
  points: [{ no: 'p1', name: '军史' }],
  difficulty: 3,
  source: '仿真样例',
  year: 2025,
})
const options = (ids: string) => ids.split('').map((id) => ({ id, html: `选项${id}` }))

export const single = (no = 'S1', key = 'B'): ChoiceQuestion => ({
  ...common(no),
  type: 'single',
  options: options('ABCD'),
  key: [key],
})
export const multiple = (no = 'M1', key = ['A', 'C']): ChoiceQuestion => ({
  ...common(no),
  type: 'multiple',
  options: options('ABCD'),
  key,
})
export const indefinite = (no = 'I1', key = ['D']): ChoiceQuestion => ({
  ...common(no),
  type: 'indefinite',
  options: options('ABCD'),
  key,
})
export const judge = (no = 'J1', key: 'A' | 'B' = 'A'): ChoiceQuestion => ({
  ...common(no),
  type: 'judge',
  options: [
    { id: 'A', html: '对' },
    { id: 'B', html: '错' },
  ],
  key: [key],
})
export const blank = (no = 'B1', blanks = [['1927'], ['南昌']]): BlankQuestion => ({
  ...common(no),
  type: 'blank',
  blanks,
  unordered: false,
})
export const essay = (no = 'E1', scoring = ['要点一', '要点二']): EssayQuestion => ({
  ...common(no),
  type: 'essay',
  reference: '<p>参考要点</p>',
  scoring: scoring.map((html) => ({ html, score: 250 })),
})
export const order = (no = 'O1', key = ['C', 'A', 'B']): OrderQuestion => ({
  ...common(no),
  type: 'order',
  options: [
    { id: 'A', html: '瞄准' },
    { id: 'B', html: '击发' },
    { id: 'C', html: '卧倒' },
  ],
  key,
})
export const composite = (no = 'C1', parts: PlainQuestion[] = [single('C1_1'), judge('C1_2')]): CompositeQuestion => ({
  ...common(no),
  type: 'composite',
  parts,
})
/** The texts of a 排序题 in the right order; of any other question none. */
export const rightOrderOf = (question: Question | undefined): string[] =>
  question?.type === 'order'
    ? question.key.map((id) => plainText(question.options.find((option) => option.id === id)?.html ?? ''))
    : []
export const items = (questions: readonly Question[]): Item[] =>
  questions.flatMap((question) => itemsOf(question, { chapterNo: 'L_c1', libraryNo: 'L', block: 0 }))
