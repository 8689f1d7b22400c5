import { clsx } from 'clsx'
import { useSyncExternalStore } from 'react'
import { offline } from '#src/offline/index.ts'
import { useSyncStatus } from '#src/offline/useOffline.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { Button, type ButtonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { copy } from '#src/ui/feedback/copy.ts'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import classes from './Install.module.css'
import { Picture } from './Picture.tsx'
import { install } from '../prompt.ts'
import { stepsOf } from './steps.ts'
import type { Way } from '../way.ts'

export const useWay = (): Way => useSyncExternalStore(install.subscribe, install.way)

/** 添加到桌面: the browser's own prompt, or how it is done by hand, in pictures; and what becomes of the record. */
export function InstallSheet({ onClose }: { onClose: () => void }) {
  const way = useWay()
  const steps = stepsOf(way, navigator.userAgent)
  return (
    <Dialog title="添加到桌面" sheet onClose={onClose}>
      <div className={common.stack}>
        {way === 'installed' ? (
          <p>已经添加好了，从桌面图标打开就行。桌面上没有图标的话，可以在浏览器的菜单里再添加一次。</p>
        ) : (
          <p>像应用一样从桌面图标打开，全屏，启动快，没有网络也能做题。不用去应用商店，几乎不占空间。</p>
        )}
        {way === 'none' && (
          <p>这个浏览器不能安装网页应用。功能在这里都能用；要添加到桌面，请换 Chrome 或 Edge 打开。</p>
        )}
        {way !== 'installed' && way !== 'none' && <Handover way={way} />}
        {steps.length > 0 && (
          <ol className={clsx(common.stack, classes.steps)}>
            {steps.map(({ text, scene }) => (
              <li key={text} className={classes.step}>
                <Picture scene={scene} />
                <span className={classes.text}>{text}</span>
              </li>
            ))}
          </ol>
        )}
        {way === 'android-menu' && (
          <p className={common.note}>有的浏览器只在桌面放一个书签：打开后功能一样，记录也都在。</p>
        )}
        {way === 'leave' && (
          <Button look="light" onClick={() => void copy(window.location.origin, '链接')}>
            复制链接，到浏览器里打开
          </Button>
        )}
        {way === 'prompt' && <AskButton onDone={onClose} />}
      </div>
    </Dialog>
  )
}

export function AskButton({ onDone, ...look }: ButtonLook & { onDone?: () => void }) {
  const ask = () =>
    void install.ask().then((agreed) => {
      if (agreed) feedback.toast('正在安装，稍后从桌面图标打开')
      onDone?.()
    })
  return (
    <Button {...look} onClick={ask}>
      安装
    </Button>
  )
}

/** Where the installed app keeps a store of its own: an iPhone's, and a browser that is not this window. */
const APART: readonly Way[] = ['leave', 'ios-safari', 'ios-other', 'mac-safari']

/** What was done here must be there: synced first, or told how it comes along. */
function Handover({ way }: { way: Way }) {
  const { state, waiting } = useSyncStatus()
  if (!APART.includes(way)) return <p className={common.note}>学习记录和下载的题库都在，添加后接着学。</p>
  if (state === 'visitor')
    return (
      waiting > 0 && (
        <div className={clsx(common.stack, classes.handover)}>
          <p>
            你还没有登录，{waiting} 条学习记录只在这里，不会自己带过去。登录后会合并到账号；也可以先点页面上方的“
            {waiting} 条保存在设备上”导出备份文件，添加后再恢复。
          </p>
          <Button small onClick={loginRequest.ask}>
            登录
          </Button>
        </div>
      )
    )
  if (waiting > 0)
    return (
      <div className={clsx(common.stack, classes.handover)}>
        <p>还有 {waiting} 条学习记录没有同步。先同步，添加后登录同一账号，记录就都在。</p>
        <Button small busy={state === 'syncing'} onClick={() => void offline.syncNow()}>
          立即同步
        </Button>
      </div>
    )
  return <p className={common.note}>学习记录都已同步：添加后登录同一账号，就能接着学，下载的题库在里面重新下载。</p>
}
