import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { libraryListQuery } from '#src/features/question/queries.ts'
import { type DeadOp, offline, type SyncStatus, type WaitingOp } from '#src/offline/index.ts'
import { RescueError } from '#src/offline/rescue.ts'
import { useSyncStatus } from '#src/offline/useOffline.ts'
import { loginGate } from '#src/session/loginGate.ts'
import { session } from '#src/session/session.ts'
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
  const [waiting, setWaiting] = useState<WaitingOp[]>([])
  const [dead, setDead] = useState<DeadOp[]>([])
  const nameOf = useNames()
  useEffect(() => {
    const show = (refused: DeadOp[]) => {
      setDead(refused)
      const unseen = refused.filter((op) => op.seenAt === undefined).map((op) => op.opId)
      if (unseen.length > 0) void offline.seen(unseen).catch(() => {})
    }
    const load = () => {
      void offline.waiting().then(setWaiting, () => {})
      void offline.dead().then(show, () => {})
    }
    load()
    return offline.onStatus(load)
  }, [])
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
      {waiting.length > 0 && (
        <ul className={classes.list} aria-label="待同步">
          {waiting.slice(-LISTED).map((op) => (
            <li key={op.opId}>
              {nameOf(op).text}
              <small>{op.parked ? '等待更新后同步' : time(op.clientAt)}</small>
            </li>
          ))}
        </ul>
      )}
      {dead.length > 0 && (
        <ul className={classes.list} aria-label="未被接受">
          {dead.map((op) => (
            <Refused key={op.opId} op={op} name={nameOf(op)} onLeave={onClose} />
          ))}
        </ul>
      )}
      <Actions state={status.state} waiting={waiting.length > 0} />
    </Dialog>
  )
}

interface Name {
  /** Library and chapter, where this device knows them. */
  text: string
  chapter: { no: string; title: string } | null
}

/** What a student calls the place of an answer: numbers of questions are for programs. */
function useNames(): (op: WaitingOp) => Name {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  return ({ place }) => {
    const library = libraries.find(({ no }) => no === place?.libraryNo)
    const chapter = library?.chapters.find(({ no }) => no === place?.chapterNo) ?? null
    return { text: [library?.title ?? '章节练习', chapter?.title].filter(Boolean).join(' · '), chapter }
  }
}

/** Its effect is gone with it, so the chapter deals the question again. */
function Refused({ op, name, onLeave }: { op: DeadOp; name: Name; onLeave: () => void }) {
  const at = Number.isFinite(op.clientAt) ? op.clientAt : op.diedAt
  return (
    <li>
      <span>
        {name.text}：{op.msg}
        <br />
        <small>{time(at)}</small>
      </span>
      <span className={classes.actions}>
        {name.chapter && (
          <Link
            {...buttonLook({ small: true, look: 'light' })}
            to="/question/library_study/$no/$count/$title"
            params={{ ...name.chapter, count: session.get().chapterCount }}
            onClick={onLeave}
          >
            去重做
          </Link>
        )}
        <Button small look="quiet" onClick={() => void offline.dismiss(op.opId)}>
          知道了
        </Button>
      </span>
    </li>
  )
}

function Actions({ state, waiting }: { state: SyncStatus['state']; waiting: boolean }) {
  return (
    <div className={classes.actions}>
      {state === 'visitor' || state === 'needs-auth' ? (
        <Button onClick={loginGate.ask}>登录</Button>
      ) : (
        <Button busy={state === 'syncing'} onClick={() => void offline.syncNow()}>
          立即同步
        </Button>
      )}
      {waiting && (
        <Button look="light" onClick={() => void download()}>
          导出救援文件
        </Button>
      )}
      {state !== 'visitor' && (
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
  )
}

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
