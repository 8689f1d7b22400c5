import { clsx } from 'clsx'
import { useEffect } from 'react'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline, type SyncStatus } from '#src/offline/index.ts'
import { useSyncStatus } from '#src/offline/useOffline.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { timeText } from '#src/ui/dates.ts'
import { download } from '#src/ui/download.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import hidden from '#src/ui/text/Unseen.module.css'
import { Ledger, useLedger } from './Ledger.tsx'
import { markText } from './markText.ts'
import { PRODUCT } from '../product.ts'
import classes from './SyncMark.module.css'

/** Where my answers are: what waits, what was refused and why, the last error; sync now; a rescue file. */
export function SyncSheet({ onClose }: { onClose: () => void }) {
  const status = useSyncStatus()
  const books = useLedger()
  const refused = books?.refused
  useEffect(() => {
    const unseen = (refused ?? []).filter((op) => op.seenAt === undefined).map((op) => op.opId)
    if (unseen.length > 0) void offline.seen(unseen).catch(() => {})
  }, [refused])
  const lastAt = status.lastSyncedAt ?? books?.lastBookedAt
  return (
    <Dialog title="同步" sheet onClose={onClose}>
      <div className={common.stack}>
        <p className={common.strong} role="status">
          {markText(status)}
        </p>
        {status.lastError && <p className={common.note}>上次同步没有成功：{status.lastError}</p>}
        {lastAt && <p className={common.note}>最近同步于 {timeText(lastAt)}</p>}
        {status.state === 'unanswered' && (
          <p className={common.note}>
            已连网，但服务器暂无响应。学习记录都保存在这台设备上，恢复后自动上传，可以继续做题。
          </p>
        )}
        {status.state === 'visitor' && (
          <p className={common.note}>未登录时的学习记录保存在这台设备上，登录后可以合并到账号。</p>
        )}
        {books && <Ledger books={books} visitor={status.state === 'visitor'} onLeave={onClose} />}
        <Actions state={status.state} waiting={status.waiting > 0} />
      </div>
    </Dialog>
  )
}

function Actions({ state, waiting }: { state: SyncStatus['state']; waiting: boolean }) {
  return (
    <div className={common.wrap}>
      {state === 'visitor' || state === 'needs-auth' ? (
        <Button onClick={loginRequest.ask}>登录</Button>
      ) : (
        <Button busy={state === 'syncing' || state === 'unanswered'} onClick={() => void offline.syncNow()}>
          立即同步
        </Button>
      )}
      {waiting && (
        <Button look="light" onClick={() => void exportWaiting()}>
          导出备份文件
        </Button>
      )}
      <label {...rescueLook}>
        从备份文件恢复
        <input
          type="file"
          accept="application/json"
          className={hidden.unseen}
          onChange={(event) => void upload(event.currentTarget.files?.[0])}
        />
      </label>
    </div>
  )
}

const rescue = buttonLook({ look: 'quiet' })
const rescueLook = { ...rescue, className: clsx(rescue.className, classes.rescue) }

async function exportWaiting(): Promise<void> {
  try {
    download(await offline.exportWaiting(), `${PRODUCT}-待同步-${dateOf(dayOf(serverNow()))}.json`)
  } catch (error) {
    void feedback.warn(wordsOf(error, '没有导出成功，记录都还在，请再试一次'))
  }
}

async function upload(file: File | undefined): Promise<void> {
  if (!file) return
  try {
    const count = await offline.importRescue(await file.text())
    feedback.toast(count > 0 ? `已恢复 ${count} 条记录` : '文件里的记录都在，没有需要恢复的')
  } catch (error) {
    void feedback.warn(wordsOf(error, '没有恢复成功，请重试'))
  }
}
