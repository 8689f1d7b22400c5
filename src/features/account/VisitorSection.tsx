import { useEffect, useState } from 'react'
import { offline, type VisitorRecord } from '#src/offline/index.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { mergeVisitor, visitorNumbers } from './visitor.ts'

/** What was done on this device before logging in and was left there: it can still be merged. */
export function VisitorSection() {
  const [record, setRecord] = useState<VisitorRecord | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => void offline.visitorRecord().then(setRecord, () => {}), [])
  if (!record) return null
  const merge = async () => {
    setBusy(true)
    if (await mergeVisitor(record)) setRecord(null)
    setBusy(false)
  }
  return (
    <section className={common.panel} aria-label="未登录时的记录">
      <h2 className={common.subheading}>未登录时的记录</h2>
      <p className={common.note}>这台设备上有{visitorNumbers(record)}，还不属于任何账号。</p>
      <Button look="light" busy={busy} onClick={() => void merge()}>
        合并到账号
      </Button>
    </section>
  )
}
