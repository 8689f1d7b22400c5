import { useEffect, useState } from 'react'
import { type DeadOp, offline, RescueError, type WaitingOp } from '#src/offline/index.ts'
import { useSyncStatus } from '#src/offline/useOffline.ts'
import { loginGate } from '#src/session/loginGate.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { feedback } from '#src/ui/feedback.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import { markText } from './markText.ts'
import { PRODUCT } from './product.ts'
import classes from './SyncMark.module.css'

const LISTED = 50
const time = (at: number): string => new Date(at).toLocaleString('zh-CN', { dateStyle: 'short', timeStyle: 'short' })

/** Where my answers are: what waits, what was refused and why, the last error; sync now; a rescue file. */
export function SyncSheet({ onClose }: { onClose: () => void }) {
  const status = useSyncStatus()
  const { waiting, dead } = useOps()
  return (
    <Dialog title="同步" sheet onClose={onClose}>
      <p className={classes.state} role="status">
        {markText(status)}
      </p>
      {status.lastError && <p className={classes.note}>上次同步：{status.lastError}</p>}
      {status.lastSyncedAt && <p className={classes.note}>最近同步于 {time(status.lastSyncedAt)}</p>}
      {status.state === 'visitor' && (
        <p className={classes.note}>未登录时的答题记录保存在这台设备上，登录后可以合并到账号。</p>
      )}
      {waiting.length > 0 && <Waiting ops={waiting} />}
      {dead.length > 0 && <Refused ops={dead} />}
      <div className={classes.actions}>
        {status.state === 'visitor' || status.state === 'needs-auth' ? (
          <Button onClick={loginGate.ask}>登录</Button>
        ) : (
          <Button busy={status.state === 'syncing'} onClick={() => void offline.syncNow()}>
            立即同步
          </Button>
        )}
        {waiting.length > 0 && (
          <Button look="light" onClick={() => void download()}>
            导出救援文件
          </Button>
        )}
        {status.state !== 'visitor' && (
          <label {...rescueLook}>
            导入救援文件
            <input
              type="file"
              accept="application/json"
              className={classes.file}
              onChange={(event) => void upload(event.currentTarget.files?.[0])}
            />
          </label>
        )}
      </div>
    </Dialog>
  )
}

/** Read anew whenever the state of syncing changes. */
function useOps(): { waiting: WaitingOp[]; dead: DeadOp[] } {
  const [waiting, setWaiting] = useState<WaitingOp[]>([])
  const [dead, setDead] = useState<DeadOp[]>([])
  useEffect(() => {
    const load = () => {
      void offline.waiting().then(setWaiting, () => {})
      void offline.dead().then(setDead, () => {})
    }
    load()
    return offline.onStatus(load)
  }, [])
  return { waiting, dead }
}

const Waiting = ({ ops }: { ops: readonly WaitingOp[] }) => (
  <ul className={classes.list} aria-label="待同步">
    {ops.slice(-LISTED).map((op) => (
      <li key={op.opId}>
        答题 {op.payload.questionNo}
        <small>{op.parked ? '等待更新后同步' : time(op.clientAt)}</small>
      </li>
    ))}
  </ul>
)

const Refused = ({ ops }: { ops: readonly DeadOp[] }) => (
  <ul className={classes.list} aria-label="未被接受">
    {ops.map((op) => (
      <li key={op.opId}>
        <span>
          {op.payload.questionNo}：{op.msg}
        </span>
        <Button small look="quiet" onClick={() => void offline.dismiss(op.opId)}>
          知道了
        </Button>
      </li>
    ))}
  </ul>
)

const rescue = buttonLook({ look: 'quiet' })
const rescueLook = { ...rescue, className: `${rescue.className} ${classes.rescue}` }

async function download(): Promise<void> {
  const url = URL.createObjectURL(await offline.exportWaiting())
  const link = document.createElement('a')
  link.href = url
  link.download = `${PRODUCT}-待同步-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

async function upload(file: File | undefined): Promise<void> {
  if (!file) return
  try {
    feedback.toast(`已找回 ${await offline.importRescue(await file.text())} 条记录`)
  } catch (error) {
    void feedback.warn(error instanceof RescueError ? error.message : '救援文件无法导入，请重试')
  }
}
