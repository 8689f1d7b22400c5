import { clsx } from 'clsx'
import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from './Install.module.css'
import { AskButton, InstallSheet, useWay } from './InstallSheet.tsx'
import { install } from '../prompt.ts'

/** Said once something was finished, quietly; whoever waves it away is left alone for 14 days. */
export function InstallOffer() {
  const way = useWay()
  const [shown, setShown] = useState(() => install.isDue())
  const [open, setOpen] = useState(false)
  if (!shown || way === 'installed') return null
  const later = () => {
    install.later()
    setShown(false)
  }
  return (
    <aside className={clsx(common.card, classes.offer)} aria-label="添加到桌面">
      <img src="/icon.svg" alt="" width="44" height="44" />
      <p className={common.column}>
        <b>添加到桌面，下次点开就练</b>
        <span className={common.note}>没有网络也能打开</span>
      </p>
      <div className={clsx(common.wrap, classes.acts)}>
        {way === 'prompt' ? (
          <AskButton look="light" onDone={() => setShown(false)} />
        ) : (
          <Button look="light" onClick={() => setOpen(true)}>
            怎么添加
          </Button>
        )}
        <Button look="quiet" tone="plain" onClick={later}>
          以后再说
        </Button>
      </div>
      {open && <InstallSheet onClose={() => setOpen(false)} />}
    </aside>
  )
}
