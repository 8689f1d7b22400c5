import { Suspense, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import card from '#src/ui/Card.module.css'
import { optional } from '#src/ui/optional.ts'

const ExportDialog = optional(() => import('./ExportDialog.tsx').then((m) => m.ExportDialog))

/** 我的数据: all of it as files. */
export function ExportSection() {
  const [open, setOpen] = useState(false)
  return (
    <section className={card.card} aria-labelledby="export">
      <h2 id="export">我的数据</h2>
      <p>作答、错题、收藏、笔记、学习计划和考试记录，都可以存成文件带走。</p>
      <Button look="light" onClick={() => setOpen(true)}>
        导出我的数据
      </Button>
      {open && (
        <Suspense>
          <ExportDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}
