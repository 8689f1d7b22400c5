import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CourseDetail } from '#src/contract/course.ts'
import { goOnText, lastWatched } from '#src/domain/goOn.ts'
import { offline } from '#src/offline/index.ts'
import { LAST_LESSON } from '#src/offline/names.ts'
import { useThings } from '#src/offline/useThings.ts'
import { deviceMemory } from '#src/ui/memory.ts'
import { courseQuery } from '../queries.ts'
import { rememberedLesson, RememberedLesson } from './RememberedLesson.tsx'

/** 继续上课 by the record, by the rule of the course's own page: another device, or a page that was killed, may have gone on. */
export function LastLesson() {
  const watched = useThings('lesson')
  const last = watched && lastWatched(watched)
  const remembered = rememberedLesson()
  const isKnown = !watched || remembered.split('\n')[0] === (last?.opId ?? '')
  const { data: course } = useQuery({ ...courseQuery(last?.courseNo ?? ''), enabled: !isKnown && last !== null })
  const told = isKnown ? remembered : !last ? '' : course ? goOnText(last, soldAs(course), watched) : remembered
  useEffect(() => {
    if (told !== rememberedLesson()) deviceMemory.set(LAST_LESSON + offline.owner, told)
  }, [told])
  return <RememberedLesson said={told} />
}

const soldAs = ({ no, open, units }: CourseDetail) => ({
  no,
  type: open ? ('course' as const) : ('trial' as const),
  lessons: units.flatMap(({ lessons }) => lessons).filter(({ trial }) => open || trial),
})
