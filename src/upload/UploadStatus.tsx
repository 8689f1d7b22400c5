import { clsx } from 'clsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { ProgressLine } from '#src/ui/feedback/ProgressLine.tsx'
import type { TaskState } from './sending.ts'
import classes from './UploadStatus.module.css'
import type { useUpload } from './useUpload.ts'
import { faultWords, STATE_WORDS } from './words.ts'

const UNDER_WAY: ReadonlySet<TaskState> = new Set(['waiting', 'checking', 'uploading', 'paused'])

/** Where an upload is, and what can be done about it. */
export function UploadStatus({
  upload,
  inParts = false,
}: {
  upload: ReturnType<typeof useUpload>
  /** Sent in parts: what is there stays there, so it may rest. */
  inParts?: boolean
}) {
  const { now } = upload
  if (!now) return null
  const { state, part, fault } = now
  return (
    <div className={clsx(common.stack, classes.status)}>
      <p className={clsx(common.wrap, common.small, classes.words)} role={fault ? 'alert' : 'status'}>
        <b className={fault ? common.wrong : undefined}>{STATE_WORDS[state]}</b>
        {state === 'uploading' && <span>{Math.round(part * 100)}%</span>}
        {fault && <span>{faultWords(fault)}</span>}
      </p>
      {UNDER_WAY.has(state) && <ProgressLine part={part} label="上传进度" className={classes.line} />}
      <div className={common.wrap}>
        {inParts && state === 'uploading' && (
          <Button look="light" tone="plain" onClick={upload.pause}>
            暂停
          </Button>
        )}
        {state === 'paused' && (
          <Button look="light" onClick={upload.resume}>
            继续上传
          </Button>
        )}
        {(state === 'error' || state === 'canceled') && <Button onClick={upload.retry}>重试</Button>}
        {UNDER_WAY.has(state) && (
          <Button look="light" tone="plain" onClick={upload.cancel}>
            取消上传
          </Button>
        )}
      </div>
    </div>
  )
}
