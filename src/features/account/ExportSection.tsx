import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { useLater } from '#src/ui/feedback/useLater.ts'

/** 我的数据: all of it as files. */
export function ExportSection() {
  const { Part, busy, open, close } = useLater(
    () => import('./ExportDialog.tsx').then((m) => m.ExportDialog),
    '没有网络，导出要用的部分还没有下载，请联网后再试',
  )
  return (
    <section className={common.panel} aria-labelledby="export">
      <h2 id="export" className={common.subheading}>
        我的数据
      </h2>
      <p className={common.note}>全部学习记录都可以存成文件带走。</p>
      <Button look="light" busy={busy} onClick={open}>
        导出我的数据
      </Button>
      {Part && <Part onClose={close} />}
    </section>
  )
}
