import { clsx } from 'clsx'
import { Suspense, useLayoutEffect, useMemo, useRef } from 'react'
import type { CompositeQuestion, PlainQuestion } from '#src/contract/question.ts'
import { askedBlank, markBlank } from '#src/domain/question/askedBlank.ts'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { RichText } from '#src/ui/text/RichText.tsx'
import classes from './Material.module.css'

const Divider = optional(() => import('./Divider.tsx').then((m) => m.Divider))

interface MaterialProps {
  material: CompositeQuestion
  /** This sub-question is asked now. */
  part: PlainQuestion
  /** Its analysis may be read. */
  told: boolean
}

/** Shows what its sub-questions are about; the blank that is asked for is marked, and scrolled to. */
export function Material({ material, part, told }: MaterialProps) {
  const box = useRef<HTMLDetailsElement>(null)
  const blank = useMemo(() => askedBlank(part.stem), [part.stem])
  const html = useMemo(() => markBlank(material.stem, blank), [material.stem, blank])
  useLayoutEffect(() => {
    const mark = blank && box.current?.querySelector('mark')
    if (!mark || !box.current) return
    // The blank comes to the middle of what is seen of the material; the page itself stays where it is.
    const { top, height } = box.current.getBoundingClientRect()
    box.current.scrollTop += mark.getBoundingClientRect().top - top - height / 2
  }, [blank])
  return (
    <div className={classes.beside}>
      <details ref={box} className={classes.material} open>
        <summary className={clsx(common.strong, classes.summary)}>材料</summary>
        <RichText html={html} />
        {told && <RichText html={material.analysis} />}
      </details>
      <Suspense>
        <Divider />
      </Suspense>
    </div>
  )
}
