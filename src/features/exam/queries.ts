import { query } from '#src/api/query.ts'
import { exam } from '#src/contract/exam.ts'

export const examListQuery = () => query(exam.list, {})
export const examQuery = (no: string) => query(exam.detail, { no })
export const examPaperQuery = (no: string) => query(exam.paper, { no })
export const examKeyQuery = (attemptId: string) => query(exam.key, { attemptId })
export const examReportQuery = (attemptId: string) => query(exam.report, { attemptId })
export const examRankQuery = (no: string) => query(exam.rank, { no })
