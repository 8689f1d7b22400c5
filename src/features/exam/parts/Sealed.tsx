import { clsx } from 'clsx'
import { IconDownload, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ExamDetail } from '#src/contract/exam.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { sealedQuery } from '../queries.ts'
import classes from '../Exams.module.css'

/** The paper comes before the start, so that everybody can begin at once with one bar of signal. */
export function Sealed({ exam }: { exam: ExamDetail }) {
  const { data: bytes, isFetching, refetch } = useQuery(sealedQuery(exam))
  const here = bytes !== undefined
  const Icon = here ? IconLock : IconDownload
  return (
    <p className={clsx(common.row, common.quiet, classes.sealed)} role="status">
      <Icon size={18} className={common.fixed} aria-hidden="true" />
      <span>
        {here
          ? `试卷已加密下载（${bytesText(bytes)}）。开考时需联网解锁一次，之后断网也能考完。`
          : isFetching
            ? '正在下载加密试卷…'
            : '试卷还没有下载，联网后打开本页会自动下载。'}
      </span>
      {!here && !isFetching && (
        <Button small look="light" onClick={() => void refetch()}>
          重试
        </Button>
      )}
    </p>
  )
}
