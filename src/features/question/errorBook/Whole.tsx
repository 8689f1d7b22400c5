import { clsx } from 'clsx'
import type { CompositeQuestion, PlainQuestion } from '#src/contract/question.ts'
import { isChoice, letters } from '#src/domain/question/choice.ts'
import { keyText } from '#src/domain/question/types.ts'
import { WholeReference } from '#src/player/question/Reference.tsx'
import common from '#src/ui/common.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import classes from './Book.module.css'

interface WholeProps {
  part: PlainQuestion
  /** What it is a sub-question of, where that is to be read with it. */
  material: CompositeQuestion | null
  /** With its answer and analysis. */
  answers?: boolean
}

/** A question to read, not to answer. */
export function Whole({ part, material, answers = false }: WholeProps) {
  return (
    <div className={clsx(common.stack, classes.whole)}>
      {material && <RichText html={material.stem} />}
      <RichText html={part.stem} />
      {'options' in part && part.type !== 'judge' && (
        <ol>
          {part.options.map(({ id, html }, i) => (
            <li key={id}>
              {String.fromCharCode(65 + i)}．<RichText html={html} inline />
            </li>
          ))}
        </ol>
      )}
      {answers && <Answer part={part} material={material} />}
    </div>
  )
}

export function Answer({ part, material }: Omit<WholeProps, 'answers'>) {
  // Paper plays no recording: what is said in it is the material's own analysis, and is read beside the sub-question's.
  const heard = material?.stem.includes('<audio') ? material.analysis : ''
  const analysis = part.analysis ? heard + part.analysis : material?.analysis
  return (
    <>
      {part.type === 'essay' ? <WholeReference part={part} /> : <p>正确答案 {keyText(part)}</p>}
      {isChoice(part) && part.options.some(({ why }) => why) && (
        <ul aria-label="逐项解析">
          {part.options.map(
            ({ id, why }) =>
              why && (
                <li key={id}>
                  {letters(part, [id])}：<RichText html={why} inline />
                </li>
              ),
          )}
        </ul>
      )}
      {analysis && <RichText html={`<p>解析</p>${analysis}`} />}
    </>
  )
}
