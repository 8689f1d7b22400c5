import { clsx } from 'clsx'
import type { Address } from '#src/contract/address.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from './Address.module.css'
import { useDrafts } from './addressDrafts.ts'

interface UnsavedAddressesProps {
  /** Left out until they are known: a change is of one of them. */
  addresses: readonly Address[] | undefined
  onOpen: (id: string | null) => void
}

/** What was typed and never saved: told before it is forgotten. */
export function UnsavedAddresses({ addresses, onOpen }: UnsavedAddressesProps) {
  const { drafts, drop } = useDrafts()
  const open = drafts.filter(({ id }) => id === null || addresses?.some((each) => each.id === id))
  return open.map(({ id, typed: { name, detail } }) => (
    <section key={id} className={clsx(common.wrap, classes.kept)} aria-label="没有保存的地址">
      <p className={classes.unsaved}>
        {id === null ? '有一个新地址还没有保存' : '有一处修改还没有保存'}
        {(name || detail) && `：${[name, detail].filter(Boolean).join('，')}`}
      </p>
      <Button small onClick={() => onOpen(id)}>
        继续填写
      </Button>
      <Button small look="quiet" tone="plain" onClick={() => drop(id)}>
        不要了
      </Button>
    </section>
  ))
}
