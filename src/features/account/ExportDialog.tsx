import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { libraryListQuery } from '#src/api/libraries.ts'
import { bytesText } from '#src/domain/bytes.ts'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { download } from '#src/ui/download.ts'
import { feedback } from '#src/ui/feedback.ts'
import { ProgressLine } from '#src/ui/ProgressLine.tsx'
import classes from './AccountPage.module.css'
import { exportData, type ExportKind } from './exportData.ts'

const KINDS: readonly { value: ExportKind; label: string; note: string }[] = [
  { value: 'all', label: '全部数据', note: 'JSON' },
  { value: 'book', label: '错题', note: 'CSV 表格' },
  { value: 'collected', label: '收藏', note: 'CSV 表格' },
  { value: 'noted', label: '笔记', note: 'CSV 表格' },
  { value: 'answers', label: '作答', note: 'CSV 表格' },
]
const canShare = (file: File): boolean => navigator.canShare?.({ files: [file] }) ?? false

/** 导出我的数据, from the record on this device. A file is made first and given at the next tap, as iPhones ask for. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<ExportKind>('all')
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const [part, setPart] = useState<number | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [work, setWork] = useState<AbortController | null>(null)
  useEffect(() => () => work?.abort(), [work])
  const start = async () => {
    const stop = new AbortController()
    setWork(stop)
    setPart(0)
    try {
      setFile(await exportData(kind, { libraries, signal: stop.signal, tell: setPart }))
    } catch {
      if (!stop.signal.aborted) void feedback.warn('没有导出成功：本机存储没有响应，请稍后再试')
    }
    setPart(null)
  }
  return (
    <Dialog title="导出我的数据" onClose={onClose}>
      <div className={classes.export}>
        {file ? (
          <Made file={file} onAgain={() => setFile(null)} />
        ) : part === null ? (
          <>
            <Choices title="导出什么" options={KINDS} chosen={[kind]} onPick={setKind} />
            <Button onClick={() => void start()}>生成文件</Button>
            <p>不联网也能导出，包括还没有同步的。表格可用 Excel、WPS 打开；题目不在本机的，题干留空。</p>
          </>
        ) : (
          <>
            <ProgressLine part={part} label="导出进度" />
            <p role="status">正在导出… {Math.round(part * 100)}%</p>
            <Button look="light" onClick={() => work?.abort()}>
              取消
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}

function Made({ file, onAgain }: { file: File; onAgain: () => void }) {
  const share = () => void navigator.share({ files: [file] }).catch(() => {})
  return (
    <>
      <p role="status">
        文件已生成：<strong>{file.name}</strong>（{bytesText(file.size)}）
      </p>
      <Button onClick={() => download(file, file.name)}>保存文件</Button>
      {canShare(file) && (
        <Button look="light" onClick={share}>
          发送或存到“文件”
        </Button>
      )}
      <Button look="quiet" onClick={onAgain}>
        再导出一份
      </Button>
      {/MicroMessenger/.test(navigator.userAgent) && <p>微信里不能保存文件，请点右上角，选择在浏览器中打开。</p>}
    </>
  )
}
