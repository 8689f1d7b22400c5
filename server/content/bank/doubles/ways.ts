import type { Question } from '#src/contract/question.ts'
import { contentOf, hashOf } from './content.ts'
import { areNear, type Asked, askedBy, bandsOf } from './nearDoubles.ts'
import type { Sketch } from '../spool.ts'
import { type Choice, choiceBy, likeness } from './sameStem.ts'

/** Its parts are what is compared of a question; each is read when it is first needed. */
export class Compared {
  private readonly question: Question
  private readContent: string | undefined
  private readChoice: Choice | null | undefined
  private readAsked: Asked | null | undefined

  constructor(question: Question) {
    this.question = question
  }

  get content(): string {
    return (this.readContent ??= contentOf(this.question))
  }
  get choice(): Choice | null {
    if (this.readChoice === undefined) this.readChoice = choiceBy(this.question)
    return this.readChoice
  }
  get asked(): Asked | null {
    if (this.readAsked === undefined) this.readAsked = askedBy(this.question)
    return this.readAsked
  }
}

/** A way in which two questions may be alike. */
interface Way {
  /** Integers, of which questions that are alike in this way share one. */
  hashesOf: (each: Compared) => number[]
  /** Says in Chinese how two are alike; null: they are not. */
  judge: (one: Compared, other: Compared) => string | null
}

const sameContent: Way = {
  hashesOf: ({ content }) => [hashOf(content)],
  judge: (one, other) => (one.content === other.content ? '内容相同' : null),
}
const sameStem: Way = {
  hashesOf: ({ choice }) => (choice ? [hashOf(choice.stem)] : []),
  judge: (one, other) => one.choice && other.choice && likeness(one.choice, other.choice),
}
const nearWords: Way = {
  hashesOf: ({ asked }) => (asked ? bandsOf(asked) : []),
  judge: (one, other) => (one.asked && other.asked && areNear(one.asked, other.asked) ? '只差几个字或标点' : null),
}

/** The closest way comes first: of several in which two questions are alike it is told. */
export const WAYS: readonly Way[] = [sameContent, sameStem, nearWords]

export const sketchOf = (compared: Compared): Sketch =>
  WAYS.flatMap(({ hashesOf }, way) => hashesOf(compared).map((hash) => ({ way, hash })))

/** A question is held against so many of those that share a hash with it. */
export const MOST_HELD = 8
