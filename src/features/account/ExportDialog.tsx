import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { libraryListQuery } from '#src/api/libraries.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { canShare, download } from '#src/ui/download.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { ProgressLine } from '#src/ui/feedback/ProgressLine.tsx'
import classes from './AccountPage.module.css'
import { exportData, type Exported, type ExportKind } from './exportData.ts'
import { ONLINE_NAMES } from './exportTables.ts'

const KINDS: readonly { value: ExportKind; label: string; note: string }[] = [
  { value: 'all', label: '全部数据', note: 'JSON' },
  ...Object.entries({
    book: '错题',
    collected: '收藏',
    noted: '笔记',
    lessonNotes: '课时笔记',
    answers: '作答',
    ...ONLINE_NAMES,
  }).map(([value, label]) => ({ value: value as ExportKind, label, note: 'CSV 表格' })),
]
const ONLINE = Object.values(ONLINE_NAMES).join('、')

/** 导出我的数据, from the record on this device, and what only the server has. A file is made first and given at the next tap, as iPhones ask for. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<ExportKind>('all')
  const client = useQueryClient()
  const [part, setPart] = useState<number | null>(null)
  const [asked, setAsked] = useState('')
  const [made, setMade] = useState<Exported | null>(null)
  const [work, setWork] = useState<AbortController | null>(null)
  useEffect(() => () => work?.abort(), [work])
  const start = async () => {
    const stop = new AbortController()
    setWork(stop)
    setMade(null)
    setPart(0)
    const tell = (done: number, what = '') => {
      setPart(done)
      setAsked(what)
    }
    try {
      // By them a table names chapters: without them it has their numbers.
      const libraries = await client.ensureQueryData(libraryListQuery()).catch(() => [])
      setMade(await exportData(kind, { libraries, signal: stop.signal, tell }))
    } catch {
      if (!stop.signal.aborted) void feedback.warn('没有导出成功：本地存储没有响应，请稍后再试')
    }
    setPart(null)
  }
  return (
    <Dialog title="导出我的数据" onClose={onClose}>
      <div className={common.stack}>
        {made ? (
          <Made {...made} onRetry={() => void start()} onAgain={() => setMade(null)} />
        ) : part === null ? (
          <>
            <Choices title="导出什么" options={KINDS} chosen={[kind]} onPick={setKind} />
            <Button onClick={() => void start()}>生成文件</Button>
            <p className={common.note}>
              {ONLINE}
              {onlineManager.isOnline() ? '要联网导出' : '：现在没有网络，这次不包含，联网后可以再导出一份'}
              。其他的不联网也能导出，还没有下载的题目，题干留空。
            </p>
          </>
        ) : (
          <>
            <ProgressLine part={part} label="导出进度" />
            <p className={common.note} role="status">
              正在导出… {asked || `${Math.round(part * 100)}%`}
            </p>
            <Button look="light" onClick={() => work?.abort()}>
              取消
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** 订单、优惠券（没有网络） */
const missingText = (missing: Exported['missing']): string =>
  [...new Set(missing.map(({ why }) => why))]
    .map((reason) => {
      const parts = missing.filter(({ why }) => why === reason).map(({ part }) => part)
      return `${parts.join('、')}（${reason}）`
    })
    .join('；')

interface MadeProps extends Exported {
  onRetry: () => void
  onAgain: () => void
}
function Made({ file, missing, onRetry, onAgain }: MadeProps) {
  return (
    <>
      {file && <Ready file={file} />}
      {missing.length > 0 && (
        <>
          <p className={common.note} role="alert">
            没有导出：{missingText(missing)}
          </p>
          <Button look="light" onClick={onRetry}>
            重试
          </Button>
        </>
      )}
      <Button look="quiet" onClick={onAgain}>
        再导出一份
      </Button>
      {file && /MicroMessenger/.test(navigator.userAgent) && (
        <p className={common.note}>微信里不能保存文件，请点右上角，选择在浏览器中打开。</p>
      )}
    </>
  )
}

function Ready({ file }: { file: File }) {
  const share = () => void navigator.share({ files: [file] }).catch(() => {})
  return (
    <>
      <p className={common.note} role="status">
        文件已生成：<strong className={classes.file}>{file.name}</strong>（{bytesText(file.size)}）
      </p>
      <Button onClick={() => download(file, file.name)}>保存文件</Button>
      {canShare(file) && (
        <Button look="light" onClick={share}>
          发送或存到“文件”
        </Button>
      )}
    </>
  )
}
