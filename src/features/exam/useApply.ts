import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#src/api/client.ts'
import { exam, type ExamHead } from '#src/contract/exam.ts'
import { examListQuery, examQuery } from './queries.ts'

/** 报名: told on the screens at once, and kept by the worker for when there is no network. */
export function useApply(no: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(exam.apply, { no }, { loading: true }),
    onSuccess: ({ applyCount }) => {
      const told = <E extends ExamHead>(of: E): E => (of.no === no ? { ...of, applied: true, applyCount } : of)
      client.setQueryData(examQuery(no).queryKey, (old) => old && told(old))
      client.setQueryData(examListQuery().queryKey, (old) => old?.map(told))
      // The worker answers with what it has kept and fetches anew behind it; the screens must not see the kept one again.
      for (const renewing of [call(exam.detail, { no }), call(exam.list, {})]) renewing.catch(() => {})
    },
  })
}
