import { clsx } from 'clsx'
import { Suspense } from 'react'
import type { EssayQuestion } from '#src/contract/question.ts'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { RichText } from '#src/ui/text/RichText.tsx'
import classes from '../Player.module.css'
import { focusOn } from '../useFocus.ts'

interface ReferenceProps {
  part: EssayQuestion
  focus?: boolean
}

const Model = optional(() => import('../composition/essayParts.ts').then((m) => m.Model), WholeReference)

/** Shows what a good answer to an essay says; 范文 of a composition. */
export const Reference = (props: ReferenceProps) =>
  props.part.composition ? (
    <Suspense>
      <Model {...props} />
    </Suspense>
  ) : (
    <WholeReference {...props} />
  )

/** The same, never folded. */
export function WholeReference({ part, focus = false }: ReferenceProps) {
  return (
    <div className={clsx(common.sunken, classes.reference)}>
      <h2 ref={focus ? focusOn : undefined} tabIndex={-1} className={clsx(common.strong, classes.subheading)}>
        {part.composition ? '范文' : '参考答案'}
      </h2>
      <RichText html={part.reference || '<p>暂无参考答案，请对照教材自评。</p>'} />
    </div>
  )
}
