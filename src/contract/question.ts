import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, Html, No, Rev } from './scalar.ts'

export const Chapter = v.object({
  no: No,
  /** null at the top level. */
  parent: v.nullable(No),
  title: v.string(),
  /** Answerable questions below it, sub-questions counted one by one. */
  total: Count,
})
const Library = v.object({
  no: No,
  title: v.string(),
  subject: v.object({ no: No, name: v.string() }),
  total: Count,
  /** In reading order, parents before children. */
  chapters: v.array(Chapter),
  /** Its offline pack: texts and pictures in bytes as they travel. Null until the server has weighed it. */
  pack: v.nullable(v.object({ rev: Rev, bytes: Count, pictureBytes: Count })),
})
export type Library = v.InferOutput<typeof Library>
export type Chapter = v.InferOutput<typeof Chapter>

export const BlockRef = v.object({
  /** The leaf chapter it belongs to. */
  no: No,
  /** Its place in that chapter, from 0. */
  at: Count,
  rev: Rev,
  count: Count,
})
export type BlockRef = v.InferOutput<typeof BlockRef>

const Outline = v.object({
  no: No,
  libraryNo: No,
  title: v.string(),
  total: Count,
  /** Every block below it, in reading order. */
  blocks: v.array(BlockRef),
})
export type Outline = v.InferOutput<typeof Outline>

/** The libraries of the scope's direction and area, with their chapter trees. */
export const libraryList = endpoint({
  path: 'question/libraryList',
  access: 'open',
  keep: 'device',
  input: v.object({}),
  output: v.array(Library),
})

/** `no` is a chapter at any level, or a library. */
export const chapter = endpoint({
  path: 'question/chapter',
  access: 'open',
  keep: 'device',
  input: v.object({ no: No }),
  output: Outline,
})

/** Of a question that can be answered; a material's parts have one each. */
export const QUESTION_TYPES = ['single', 'multiple', 'indefinite', 'judge', 'blank', 'essay', 'order'] as const

/** Option id as stored with answers. Display letters come from the order on screen, so shuffling never changes a mark. */
export const OptionId = v.pipe(v.string(), v.regex(/^[A-Z]$/))
const Option = v.object({
  id: OptionId,
  html: Html,
  /** 逐项解析: why this one is right or wrong; left out when the bank does not say. */
  why: v.optional(Html),
})

const common = {
  no: No,
  stem: Html,
  /** Empty when the bank has none. */
  analysis: Html,
  points: v.array(v.object({ no: No, name: v.string() })),
  /** 1 easiest … 5 hardest. */
  difficulty: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
  /** Where it comes from, such as 仿真样例; '' when unknown. */
  source: v.string(),
  /** Year of the paper; 0 when none. */
  year: Count,
  /** Counts up with every correction; left out for 1. */
  version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
}
const choice = {
  ...common,
  options: v.pipe(v.array(Option), v.minLength(2)),
  key: v.pipe(v.array(OptionId), v.minLength(1)),
}

const SingleQuestion = v.object({ ...choice, type: v.literal('single') })
const MultipleQuestion = v.object({ ...choice, type: v.literal('multiple') })
const IndefiniteQuestion = v.object({ ...choice, type: v.literal('indefinite') })
/** Options are always A 对 and B 错. */
const JudgeQuestion = v.object({ ...choice, type: v.literal('judge') })
export const BlankQuestion = v.object({
  ...common,
  type: v.literal('blank'),
  /** Per blank, in the stem's order, the accepted texts; the first is the one shown as the answer. */
  blanks: v.pipe(v.array(v.pipe(v.array(v.string()), v.minLength(1))), v.minLength(1)),
  /** True when the blanks may be filled in any order. */
  unordered: v.boolean(),
})
/** It says how long a composition shall be, in Chinese 字 or in words of another language. */
const Length = v.object({
  unit: v.picklist(['characters', 'words']),
  least: v.optional(Count),
  most: v.optional(Count),
  /** 800 字左右: a little more or less will do. Stands alone. */
  about: v.optional(Count),
})
export type Length = v.InferOutput<typeof Length>
const Composition = v.object({
  /** Left out where the prompt does not say. */
  length: v.optional(Length),
  /** The 采分点 are grades, such as 一类文 and 二类文: one of them is reached, and its score is the composition's. */
  graded: v.optional(v.literal(true)),
})
export const EssayQuestion = v.object({
  ...common,
  type: v.literal('essay'),
  reference: Html,
  /** 采分点. `score` in hundredths of a mark. Empty: marked as a whole. */
  scoring: v.array(v.object({ html: Html, score: Count })),
  /** Makes it a 作文, to students a type of its own. To apps that do not know this it is an essay like any other. */
  composition: v.optional(Composition),
})
/** An option without a reason of its own. */
const BareOption = v.object({ ...Option.entries, why: v.optional(v.never()) })
/** 排序题: the options are to be put in order. They are listed in another order than the right one. */
const OrderQuestion = v.object({
  ...choice,
  type: v.literal('order'),
  options: v.pipe(v.array(BareOption), v.minLength(2)),
  /** Every option's id once, in the right order. */
  key: v.pipe(v.array(OptionId), v.minLength(2)),
})
/** A sub-question: any type but another composite. */
export const PlainQuestion = v.variant('type', [
  SingleQuestion,
  MultipleQuestion,
  IndefiniteQuestion,
  JudgeQuestion,
  BlankQuestion,
  EssayQuestion,
  OrderQuestion,
])
/** 材料/阅读/完形: `stem` is the material. Parts have numbers of their own; answers are recorded per part. */
const CompositeQuestion = v.object({
  ...common,
  type: v.literal('composite'),
  /** Students call it so; left out for 材料题. */
  kind: v.optional(v.picklist(['reading', 'cloze'])),
  parts: v.pipe(v.array(PlainQuestion), v.minLength(1)),
})
export const Question = v.variant('type', [...PlainQuestion.options, CompositeQuestion])

/** What tells an answer, as nothing: a question of the same shape that is asked before its key may be known. */
const untold = { analysis: v.literal(''), points: v.tuple([]) }
const askedChoice = {
  ...choice,
  ...untold,
  options: v.pipe(v.array(BareOption), v.minLength(2)),
  key: v.tuple([]),
}
const AskedPlain = v.variant('type', [
  v.object({ ...askedChoice, type: v.literal('single') }),
  v.object({ ...askedChoice, type: v.literal('multiple') }),
  v.object({ ...askedChoice, type: v.literal('indefinite') }),
  v.object({ ...askedChoice, type: v.literal('judge') }),
  v.object({ ...BlankQuestion.entries, ...untold, blanks: v.array(v.tuple([])), unordered: v.literal(false) }),
  v.object({ ...EssayQuestion.entries, ...untold, reference: v.literal(''), scoring: v.tuple([]) }),
  v.object({ ...askedChoice, type: v.literal('order') }),
])
/** Anything that tells an answer does not fit this schema. */
export const AskedQuestion = v.variant('type', [
  ...AskedPlain.options,
  v.object({ ...CompositeQuestion.entries, ...untold, parts: v.pipe(v.array(AskedPlain), v.minLength(1)) }),
])
export type AskedQuestion = v.InferOutput<typeof AskedQuestion>

export type PlainQuestion = v.InferOutput<typeof PlainQuestion>
export type CompositeQuestion = v.InferOutput<typeof CompositeQuestion>
export type ChoiceQuestion = v.InferOutput<
  typeof SingleQuestion | typeof MultipleQuestion | typeof IndefiniteQuestion | typeof JudgeQuestion
>
export type BlankQuestion = v.InferOutput<typeof BlankQuestion>
export type EssayQuestion = v.InferOutput<typeof EssayQuestion>
export type OrderQuestion = v.InferOutput<typeof OrderQuestion>
export type Question = v.InferOutput<typeof Question>

/** Students tell these types apart, some of them among essays and materials (domain/question/listedType.ts). */
export const TYPE_NAMES = {
  single: '单选题',
  multiple: '多选题',
  indefinite: '不定项',
  judge: '判断题',
  blank: '填空题',
  essay: '简答题',
  composition: '作文',
  order: '排序题',
  composite: '材料题',
  reading: '阅读理解',
  cloze: '完形填空',
} as const satisfies Record<Question['type'] | NonNullable<CompositeQuestion['kind']> | 'composition', string>
export type NamedType = keyof typeof TYPE_NAMES
/** The types that students list and filter by: those of questions that can be answered, and 作文. */
export const LISTED_TYPES = [
  'single',
  'multiple',
  'indefinite',
  'judge',
  'blank',
  'essay',
  'composition',
  'order',
] as const
export type ListedType = (typeof LISTED_TYPES)[number]

/** Questions per block: the unit that is fetched, hashed, kept and updated. */
export const BLOCK_SIZE = 25
/** Blocks in one answer at most: 10,000 questions in 25 requests, none of them too long for a slow line. */
export const BUNDLE = 16

const Block = v.object({ no: No, at: Count, rev: Rev, questions: v.array(Question) })
export type Block = v.InferOutput<typeof Block>

const PackBlock = v.object({
  ...BlockRef.entries,
  /** Of its JSON, as it is kept on the device. */
  bytes: Count,
})
export const Picture = v.object({ src: v.string(), bytes: Count })
export type Picture = v.InferOutput<typeof Picture>

/** All that a library is made of, in reading order. */
const Pack = v.object({
  no: No,
  title: v.string(),
  rev: Rev,
  total: Count,
  /** On the wire, without pictures. */
  bytes: Count,
  chapters: v.array(Chapter),
  blocks: v.array(PackBlock),
  pictures: v.array(Picture),
})
export type Pack = v.InferOutput<typeof Pack>

const PackedBlock = v.object({
  no: No,
  at: Count,
  rev: Rev,
  /** The questions as the very text that `rev` is the hash of: 10 characters of base64url(sha256). */
  json: v.string(),
})
export type PackedBlock = v.InferOutput<typeof PackedBlock>

const Statistic = v.object({
  no: No,
  /** Who answered it; from STATISTIC_MIN on. */
  students: Count,
  /** Of their first answers, in whole percent. */
  right: v.pipe(Count, v.maxValue(100)),
  /** The wrong option that was chosen most, first answers again. */
  wrong: v.optional(OptionId),
})
export type Statistic = v.InferOutput<typeof Statistic>
/** Fewer students make no figure. */
export const STATISTIC_MIN = 20

/** Questions asked for by number in one call. */
export const SOME_MAX = 50
const Located = v.object({
  question: Question,
  chapterNo: v.nullable(No),
  libraryNo: v.nullable(No),
  /** 已下架: in nobody's chapters any more. */
  retired: v.boolean(),
})
export type Located = v.InferOutput<typeof Located>

export const question = {
  libraryList,
  chapter,
  /** Up to BLOCK_SIZE questions of a leaf chapter. Can be asked without its outline, so both load in one round trip. */
  block: endpoint({
    path: 'question/block',
    access: 'open',
    keep: 'device',
    input: v.object({ no: No, at: Count }),
    output: Block,
  }),
  /** 全站正确率 and 易错项 of the questions of a leaf chapter, of those that enough students have answered. */
  stats: endpoint({
    path: 'question/stats',
    access: 'open',
    keep: 'device',
    input: v.object({ no: No }),
    output: v.array(Statistic),
  }),
  /** What a library's download is made of. `no` is the library's. */
  pack: endpoint({
    path: 'question/pack',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ no: No }),
    output: Pack,
  }),
  /** Those of the blocks that still are at the rev that is asked for. */
  blocks: endpoint({
    path: 'question/blocks',
    access: 'open',
    keep: 'nowhere',
    input: v.object({
      list: v.pipe(
        v.array(v.object({ no: No, at: Count, rev: Rev })),
        v.minLength(1),
        v.maxLength(BUNDLE, '一次下载的内容过多，请刷新页面后重试'),
      ),
    }),
    output: v.array(PackedBlock),
  }),
  /**
   * Questions of the student's own record by their numbers, wherever they stand now; the number of a sub-question gives its
   * material. Retired ones come too: what one has done, one may read for ever. What is sold comes to who has bought it.
   */
  some: endpoint({
    path: 'question/some',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ nos: v.pipe(v.array(No), v.maxLength(SOME_MAX)) }),
    output: v.array(Located),
  }),
}
