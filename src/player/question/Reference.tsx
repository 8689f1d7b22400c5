import { clsx } from 'clsx'
import type { EssayQuestion } from '#src/contract/question.ts'
import common from '#src/ui/common.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import classes from '../Player.module.css'
import { focusOn } from '../useFocus.ts'

/** What a good answer to an essay says. */
export function Reference({ part, focus = false }: { part: EssayQuestion; focus?: boolean }) {
  return (
    <div className={clsx(common.sunken, classes.reference)}>
      <h2 ref={focus ? focusOn : undefined} tabIndex={-1} className={clsx(common.strong, classes.subheading)}>
        参考答案
      </h2>
      <RichText html={part.reference || '<p>暂无参考答案，请对照教材自评。</p>'} />
    </div>
  )
}
