import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/api/client.ts'
import { query } from '#src/api/query.ts'
import { exam, type ExamHead } from '#src/contract/exam.ts'
import { session } from '#src/session/session.ts'
import { haveSealed, openSealed } from './sealed.ts'

export const examListQuery = () => query(exam.list, {})
export const examQuery = (no: string) => query(exam.detail, { no })
/** From the sealed copy on this device when there is one. */
export const examPaperQuery = (no: string) =>
  queryOptions({
    ...query(exam.paper, { no }),
    queryFn: async ({ signal }) => (await openSealed(no)) ?? (await call(exam.paper, { no }, { signal })),
  })
export const examKeyQuery = (sittingId: string) => query(exam.key, { attemptId: sittingId })
/** Title and numbers of an exam, from its own page's answer or else from the list's: an address says what somebody wrote into it. */
export function useExamHead(no: string): ExamHead | undefined {
  const { data: own, isError } = useQuery(examQuery(no))
  const { data: all } = useQuery({ ...examListQuery(), enabled: isError && !own })
  return own ?? all?.find((each) => each.no === no)
}
export const examReportQuery = (sittingId: string) => query(exam.report, { attemptId: sittingId })
export const examRankQuery = (no: string) => query(exam.rank, { no })
/** How many bytes the sealed paper on this device has; fetched when it is not there, or another one. */
export const sealedQuery = ({ no, rev }: { no: string; rev: string }) =>
  queryOptions({
    queryKey: [session.owner(), '', '', 'examSealed', { no, rev }],
    queryFn: () => haveSealed(no, rev),
    meta: { keep: 'nowhere' },
  })
