import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { WatchedLesson } from '#src/domain/course/goOn.ts'
import { offline } from '#src/offline/index.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { useThings } from '#src/offline/useThings.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { courseQuery } from '../queries.ts'
import { rememberedLesson, RememberedLesson } from './RememberedLesson.tsx'

/** 继续上课 by the record, by the rule of the course's own page: another device, or a page that was killed, may have gone on. */
export function LastLesson() {
  const client = useQueryClient()
  const watched = useThings('lesson')
  const [said, setSaid] = useState(rememberedLesson)
  useEffect(() => {
    if (!watched) return
    let left = false
    const say = (text: string) => {
      if (left) return
      deviceMemory.set(OWNER_KEYS.lastLesson(offline.owner), text)
      setSaid(text)
    }
    // Without a network what is remembered stays.
    wayOn(client, watched).then(say, () => {})
    return () => {
      left = true
    }
  }, [client, watched])
  return <RememberedLesson said={said} />
}

/** Of the course that was watched last; when that is finished, of the one before it. */
async function wayOn(client: QueryClient, watched: ReadonlyMap<string, WatchedLesson>): Promise<string> {
  // It stands with what folds the record, which no first screen needs.
  const { begunCourses, goOnText, lastWatched, soldAlone } = await import('#src/domain/course/goOn.ts')
  const last = lastWatched(watched)
  if (!last) return ''
  const remembered = rememberedLesson()
  const [opId, to] = remembered.split('\n')
  if (opId === last.opId && to !== undefined) return remembered
  for (const no of begunCourses(watched)) {
    const text = goOnText(last, soldAlone(await client.fetchQuery(courseQuery(no))), watched)
    if (text !== last.opId) return text
  }
  // More may come of what is finished: it is asked again next time.
  return last.opId
}
