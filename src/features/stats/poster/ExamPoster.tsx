import { useQuery } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import { exam, type ExamKey } from '#src/contract/exam.ts'
import { PosterOpener } from './PosterOpener.tsx'
import { examPosters } from './posters.ts'

interface ExamPosterProps {
  title: string
  examKey: ExamKey
  product: string
}

/** 生成海报 of a sitting. Its place is on it as far as the report above has it: nothing is asked for here. */
export function ExamPoster({ title, examKey, product }: ExamPosterProps) {
  const { attemptId, earned } = examKey
  const { data } = useQuery({ ...query(exam.report, { attemptId }), enabled: false })
  return <PosterOpener product={product} posters={examPosters(title, earned, data)} />
}
