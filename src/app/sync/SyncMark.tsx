import { IconCloudCheck, IconCloudOff, IconCloudUp, IconAlertTriangle } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { lazy, Suspense, useState } from 'react'
import { useSyncStatus } from '#src/offline/useOffline.ts'
import common from '#src/ui/common.module.css'
import { markText } from './markText.ts'
import classes from './SyncMark.module.css'

const SyncSheet = lazy(() => import('./SyncSheet.tsx').then((m) => ({ default: m.SyncSheet })))

/** One small mark: 已同步 / N 条待同步 / 离线. A tap lists what waits. */
export function SyncMark() {
  const status = useSyncStatus()
  const [open, setOpen] = useState(false)
  const { icon: Icon, tone } = LOOKS[status.state]
  const text = markText(status)
  return (
    <>
      <button
        type="button"
        className={clsx(
          common.row,
          common.caption,
          common.figures,
          classes.mark,
          status.dead > 0 ? common.wrong : tone,
        )}
        onClick={() => setOpen(true)}
        aria-label={`同步状态：${text}`}
      >
        <Icon size={20} stroke={1.8} aria-hidden="true" />
        {status.waiting > 0 && <span>{status.waiting > 999 ? '999+' : status.waiting}</span>}
      </button>
      {open && (
        <Suspense>
          <SyncSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const LOOKS = {
  synced: { icon: IconCloudCheck, tone: common.right },
  syncing: { icon: IconCloudUp, tone: common.warm },
  waiting: { icon: IconCloudUp, tone: common.warm },
  unanswered: { icon: IconCloudUp, tone: common.warm },
  visitor: { icon: IconCloudUp, tone: common.warm },
  offline: { icon: IconCloudOff, tone: common.warm },
  unwritten: { icon: IconAlertTriangle, tone: common.wrong },
  'needs-auth': { icon: IconAlertTriangle, tone: common.wrong },
  error: { icon: IconAlertTriangle, tone: common.wrong },
}
