import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { Band, Guide, Start } from '#src/contract/testing.ts'
import { bandOf, type Share } from '#src/domain/paper/testing.ts'
import { useSession } from '#src/session/useSession.ts'
import { scoreText } from '#src/sitting/texts.ts'
import common from '#src/ui/common.module.css'
import classes from './Testings.module.css'

interface AdviceProps {
  guide: Guide
  whole: Share
  /** In the paper's order; null: not known, nothing is said of them. */
  sections: readonly (Share & { title: string })[] | null
}

/** What a result means, and where to start: of the whole, then section by section. */
export function Advice({ guide, whole, sections }: AdviceProps) {
  const band = bandOf(guide.whole, whole)
  const said = (sections ?? []).flatMap((section, i) => {
    const own = bandOf(guide.sections[i] ?? [], section)
    return own ? [{ section, own }] : []
  })
  if (!band && said.length === 0) return null
  return (
    <section className={clsx(common.stack, classes.advice)} aria-labelledby="advice">
      <h2 id="advice" className={common.subheading}>
        学习建议
      </h2>
      {band && <Said band={band} />}
      {said.length > 0 && (
        <ul className={clsx(common.stack, classes.sections)}>
          {said.map(({ section, own }) => (
            <li key={section.title} className={clsx(common.stack, classes.section)}>
              <h3 className={clsx(common.between, classes.head)}>
                {section.title}
                <small className={clsx(common.quiet, common.figures, classes.share)}>{scoreText(section)}</small>
              </h3>
              <Said band={own} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Said({ band: { advice, start } }: { band: Band }) {
  return (
    <>
      <p className={classes.meaning}>{advice}</p>
      {start.length > 0 && (
        <p className={common.wrap}>
          {start.map((each) => (
            <Way key={each.no} start={each} />
          ))}
        </p>
      )}
    </>
  )
}

const WAY = clsx(common.inline, common.accent, classes.way)

function Way({ start: { to, no, title } }: { start: Start }) {
  const { chapterCount } = useSession()
  const inside = (
    <>
      {to === 'set' ? '做题集' : '去练'}：{title}
      <IconArrowRight size={16} aria-hidden="true" />
    </>
  )
  if (to === 'set')
    return (
      <Link to="/question_set/question_set_detail/$no" params={{ no }} className={WAY}>
        {inside}
      </Link>
    )
  return (
    <Link to="/question/library_study/$no/$count/$title" params={{ no, count: chapterCount, title }} className={WAY}>
      {inside}
    </Link>
  )
}
