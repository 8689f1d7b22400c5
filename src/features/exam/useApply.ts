import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#src/api/client.ts'
import { setAnswer } from '#src/api/query.ts'
import { exam, type ExamHead } from '#src/contract/exam.ts'
import { examListQuery, examQuery } from './queries.ts'

/** 报名: shown at once, and kept by the worker for when there is no network. */
export function useApply(no: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(exam.apply, { no }, { loading: true }),
    onSuccess: ({ applyCount }) => {
      const told = <E extends ExamHead>(of: E): E => (of.no === no ? { ...of, applied: true, applyCount } : of)
      setAnswer(client, examQuery(no), (old) => old && told(old))
      setAnswer(client, examListQuery(), (old) => old?.map(told))
    },
  })
}
