import type { Question } from '#src/contract/question.ts'

/** Files name types as we do, in English, or as papers have them. */
const TYPES: Record<string, Question['type']> = {
  single: 'single',
  单选: 'single',
  单选题: 'single',
  单项选择题: 'single',
  选择题: 'single',
  multiple: 'multiple',
  multi: 'multiple',
  多选: 'multiple',
  多选题: 'multiple',
  多项选择题: 'multiple',
  indefinite: 'indefinite',
  不定项: 'indefinite',
  不定项选择题: 'indefinite',
  judge: 'judge',
  判断: 'judge',
  判断题: 'judge',
  是非题: 'judge',
  blank: 'blank',
  填空: 'blank',
  填空题: 'blank',
  essay: 'essay',
  简答: 'essay',
  简答题: 'essay',
  论述: 'essay',
  论述题: 'essay',
  解答题: 'essay',
  计算题: 'essay',
  作文: 'essay',
  名词解释: 'essay',
  材料分析题: 'essay',
  翻译: 'essay',
  order: 'order',
  ordering: 'order',
  排序: 'order',
  排序题: 'order',
  composite: 'composite',
  材料题: 'composite',
  阅读理解: 'composite',
  完形填空: 'composite',
}

/** Returns the type of this name; undefined for a name that is none. */
export const typeCalled = (name: string): Question['type'] | undefined =>
  Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
