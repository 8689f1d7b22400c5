import type { GeneratedAlways, JSONColumnType } from 'kysely'
import type { Guide, TestingDetail, TestingKind } from '#src/contract/testing.ts'
import type { PartialRule } from '#src/domain/question/rules.ts'

export interface TestingTables {
  /** 测评: `minutes` null, untimed. */
  testing: {
    no: string
    kind: TestingKind
    title: string
    intro: string
    directions: string[]
    areas: string[]
    course_no: string | null
    unit_no: string | null
    minutes: number | null
    partial: PartialRule
    count: number
    full_score: number
    sections: JSONColumnType<TestingDetail['sections']>
    guide: JSONColumnType<Guide>
    rev: string
    position: number
  }
  /** `body` is the JSON text of the contract's Sections. */
  testing_paper: {
    testing_no: string
    rev: string
    partial: PartialRule
    body: string
    has_multiple: GeneratedAlways<boolean>
  }
}
