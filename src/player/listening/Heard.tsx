import { clsx } from 'clsx'
import { keyText } from '#src/domain/question/types.ts'
import common from '#src/ui/common.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import type { Item } from '../playerState.ts'
import classes from './Listening.module.css'

/** Shows what is read, for who looks: pictures and tables cannot be heard. */
export function Heard({ item: { part, material }, isTold }: { item: Item; isTold: boolean }) {
  return (
    <>
      {material && (
        <details>
          <summary className={clsx(common.strong, classes.fold)}>材料</summary>
          <RichText html={material.stem} />
        </details>
      )}
      <RichText html={part.stem} />
      {'options' in part && part.type !== 'judge' && (
        <ol className={common.stack}>
          {part.options.map(({ id, html }, index) => (
            <li key={id} className={common.row} data-key={(isTold && part.key.includes(id)) || undefined}>
              <span>{String.fromCharCode(65 + index)}．</span>
              <RichText html={html} inline />
            </li>
          ))}
        </ol>
      )}
      {isTold && (part.type === 'essay' ? <RichText html={part.reference} /> : <Key text={keyText(part)} />)}
    </>
  )
}

const Key = ({ text }: { text: string }) => <p className={clsx(common.strong, common.right)}>正确答案：{text}</p>
