import { query } from '#src/api/query.ts'
import { contract } from '#src/contract/index.ts'

export const libraryListQuery = () => query(contract.question.libraryList, {})
export const outlineQuery = (no: string) => query(contract.question.chapter, { no })
export const blockQuery = (no: string, at: number) => query(contract.question.block, { no, at })
