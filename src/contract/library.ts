import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, No, Rev } from './scalar.ts'

/** What libraries are made of, without their questions. By itself, because every byte of the first file counts. */

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
