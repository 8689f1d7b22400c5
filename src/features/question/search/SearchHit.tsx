import { clsx } from 'clsx'
import type { StudyState } from '#src/contract/study.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import type { Hit } from '#src/search/client.ts'
import common from '#src/ui/common.module.css'
import { HitOption } from './HitOption.tsx'
import { Line } from './HitLine.tsx'
import classes from './SearchHit.module.css'

interface SearchHitProps {
  id: string
  hit: Hit
  /** Library and chapter. */
  place: string
  states: ReadonlyMap<string, StudyState> | null
  active: boolean
  onOpen: () => void
}

export function SearchHit({ id, hit, place, states, active, onOpen }: SearchHitProps) {
  const { look, text } = standing(hit, states)
  return (
    <HitOption id={id} active={active} onOpen={onOpen}>
      <Line pieces={hit.stem} className={classes.stem} />
      {hit.rest && <Line pieces={hit.rest} label="选项或解析：" />}
      {hit.note && <Line pieces={hit.note} label="我的笔记：" />}
      <span className={clsx(common.wrap, common.caption, classes.facts)}>
        <span>{TYPE_NAMES[hit.type]}</span>
        <span className={look}>{text}</span>
        <span>{place}</span>
      </span>
    </HitOption>
  )
}

/** Of a material as of its worst sub-question. */
function standing({ nos }: Hit, states: ReadonlyMap<string, StudyState> | null) {
  const own = nos.map((no) => states?.get(no))
  if (own.some((state) => state?.lastRight === false)) return { look: common.wrong, text: '做错' }
  return own.every((state) => state?.lastRight)
    ? { look: common.right, text: '做对' }
    : { look: undefined, text: '未做' }
}
