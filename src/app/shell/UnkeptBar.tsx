import { clsx } from 'clsx'
import { TAB_KEYS } from '#src/device/keys.ts'
import { IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { deviceMemory, tabMemory } from '#src/device/stores.ts'
import { keepsRecords } from '#src/offline/index.ts'
import bar from '#src/ui/Bar.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'

/** Says what a browser that keeps nothing will lose, and what to do about it, until the student has read it once in this visit. */
export function UnkeptBar() {
  const [isRead, setIsRead] = useState(() => tabMemory.get(TAB_KEYS.unkeptRead) !== null)
  const [recorded, setRecorded] = useState(true)
  useEffect(() => {
    void keepsRecords().then(setRecorded)
  }, [])
  if (isRead || (recorded && deviceMemory.works())) return null
  const close = () => {
    tabMemory.set(TAB_KEYS.unkeptRead, '1')
    setIsRead(true)
  }
  return (
    <div className={clsx(bar.bar, bar.closable)} role="status">
      <p>
        当前浏览器不保存数据，{recorded ? '关闭页面后需要重新登录' : '可以做题，但不会记录'}
        。请在浏览器设置中允许网站数据，或换用系统浏览器。
      </p>
      <IconButton aria-label="关闭存储提示" onClick={close}>
        <IconX size={18} />
      </IconButton>
    </div>
  )
}
