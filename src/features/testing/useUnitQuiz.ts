import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { testingListQuery } from './queries.ts'

/** Finds the testing that ends a unit of a course; null while the list is not there, too: nobody waits for it. */
export function useUnitQuiz() {
  const { data } = useQuery(testingListQuery())
  return useCallback(
    (courseNo: string, unitNo: string): { no: string; title: string } | null =>
      data?.find(({ unit }) => unit?.course === courseNo && unit.no === unitNo) ?? null,
    [data],
  )
}
