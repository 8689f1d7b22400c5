import type { Generated } from 'kysely'

/** These hold what is foretold of students' memories, and what comes of it. */
export interface RecallTables {
  /** It says what was tried with a student's answers (study/recall); losses are log-losses a review, of the last of them. */
  memory_fit: {
    uid: string
    /** Their answers are looked at again when their record has come so far. */
    next_rev: number
    tried_at: number
    reviews: number
    /** Their own parameters of FSRS foretell better than most people's, and are in their record. */
    kept: boolean
    common_loss: number
    own_loss: number
  }
  /** It holds what was foretold of a student's exam day so many days before (`horizon`), and what came (study/recall). Days are numbers. */
  exam_forecast: {
    uid: string
    exam_day: number
    horizon: number
    /** Epoch ms. */
    made_at: number
    /** It counts the questions that were answered by then. */
    studied: number
    /** Shares from 0 to 1; null where too little was studied to say anything. */
    known: number | null
    low: number | null
    high: number | null
    came: number | null
    compared: Generated<boolean>
  }
}
