import { clsx } from 'clsx'
import { IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ExamDetail } from '#src/contract/exam.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { useAppHere } from '#src/offline/useAppHere.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { examPaperQuery, sealedQuery } from '../queries.ts'
import classes from '../Exams.module.css'

/** The paper comes before the start, so that everybody can begin at once with one bar of signal. */
export function Sealed({ exam }: { exam: ExamDetail }) {
  const asked = useQuery(sealedQuery(exam))
  return (
    <Paper asked={asked} coming="正在下载加密试卷…">
      试卷已加密下载（{bytesText(asked.data ?? 0)}）。开考时需联网解锁一次，之后断网也能考完。
    </Paper>
  )
}

/** The paper of an exam under way comes to this device before anybody enters it: the barracks may have no network in the evening. */
export function Ready({ exam: { no } }: { exam: ExamDetail }) {
  const appHere = useAppHere()
  return (
    <Paper asked={useQuery(examPaperQuery(no))} coming="正在下载试卷…">
      {appHere ? '试卷已下载，没有网络也能开考、答完并交卷。' : '试卷已下载。开考需要网络，之后断网也能答完并交卷。'}
    </Paper>
  )
}

interface PaperProps {
  asked: UseQueryResult
  /** Said while it is fetched. */
  coming: string
  /** Said once it is here. */
  children: ReactNode
}

function Paper({ asked: { data, isFetching, refetch }, coming, children }: PaperProps) {
  const here = data !== undefined
  const Icon = here ? IconCircleCheck : IconDownload
  return (
    <p className={clsx(common.row, common.quiet, classes.sealed)} role="status">
      <Icon size={18} className={common.fixed} aria-hidden="true" />
      <span>{here ? children : isFetching ? coming : '试卷还没有下载，联网后打开本页会自动下载。'}</span>
      {!here && !isFetching && (
        <Button small look="light" onClick={() => void refetch()}>
          重试
        </Button>
      )}
    </p>
  )
}
