import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { call } from '#src/api/client.ts'
import { query, setAnswer } from '#src/api/query.ts'
import { type Devices as All, user } from '#src/contract/user.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { dateText, timeText } from '#src/ui/dates.ts'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import classes from '../Rows.module.css'

type Device = All[number]
const devicesQuery = () => query(user.devices, {})
const usedText = ({ seenAt }: Device): string => (dayOf(seenAt) === dayOf(Date.now()) ? '今天' : dateText(seenAt))
const nameOf = ({ device }: Device): string => device || '未知设备'

const sure = async (message: string): Promise<boolean> =>
  (await feedback.ask({
    title: '退出其他设备',
    message: `${message}那里没有同步的记录会留在那台设备上，下次登录后自动同步。`,
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'sure', label: '退出', tone: 'danger' },
    ],
  })) === 'sure'

/** 登录设备: where the student is logged in, and the way to end it there. */
export function Devices({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(devicesQuery())
  const ending = useMutation({
    mutationFn: (id: string | undefined) => call(user.endDevices, id === undefined ? {} : { id }, { loading: true }),
    onSuccess: (left) => {
      setAnswer(client, devicesQuery(), left)
      feedback.toast('已退出')
    },
  })
  const end = async (device: Device) => {
    if (await sure(`“${nameOf(device)}”将需要重新登录。`)) ending.mutate(device.id)
  }
  const endAll = async () => {
    if (await sure('其他设备都将需要重新登录。')) ending.mutate(undefined)
  }
  return (
    <Dialog title="登录设备" onClose={onClose}>
      {data ? (
        <>
          <ul>
            {data.map((device) => (
              <Row key={device.id} device={device} onEnd={() => void end(device)} />
            ))}
          </ul>
          {data.length > 1 && (
            <Button look="light" tone="danger" className={classes.all} onClick={() => void endAll()}>
              退出其他全部设备
            </Button>
          )}
        </>
      ) : error ? (
        <ErrorCard error={error} away="没有网络，联网后可查看登录设备" onRetry={() => void refetch()} />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  )
}

const NOTE = clsx(common.caption, common.figures)

function Row({ device, onEnd }: { device: Device; onEnd: () => void }) {
  const Icon = /电脑|Chromebook/.test(device.device) ? IconDeviceDesktop : IconDeviceMobile
  return (
    <li className={clsx(common.row, classes.row)}>
      <Icon className={clsx(common.fixed, common.quiet)} size={28} stroke={1.4} aria-hidden="true" />
      <div className={clsx(common.column, common.grow)}>
        <strong className={common.strong}>{nameOf(device)}</strong>
        <small className={NOTE}>最近使用：{usedText(device)}</small>
        <small className={NOTE}>登录于 {timeText(device.createdAt)}</small>
      </div>
      {device.current ? (
        <span className={clsx(common.strong, common.accent, classes.here)}>当前设备</span>
      ) : (
        <Button look="light" small aria-label={`退出 ${nameOf(device)}`} onClick={onEnd}>
          退出
        </Button>
      )}
    </li>
  )
}
