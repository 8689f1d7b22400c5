import { useSyncExternalStore } from 'react'
import type { CourseKind, LessonSize } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import {
  byQuality,
  pick,
  QUALITY_OF,
  qualityText,
  USUAL_WISH,
  type Wish,
  wishOf,
  wishText,
} from '#src/domain/course/quality.ts'
import type { WantedLesson } from '#src/offline/downloads/lessons/lessons.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

/** A lesson with what can be chosen of it. */
export interface Offered extends WantedLesson {
  kind?: CourseKind
  sizes?: readonly LessonSize[] | undefined
}

const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const remembered = (): string => {
  const wish = packSettings.wish()
  return wish ? wishText(wish) : ''
}
export function chooseQuality(wish: Wish): void {
  packSettings.setWish(wish)
  for (const listener of listeners) listener()
}
/** The quality that this device downloads in. */
export const useWish = (): Wish => wishOf(useSyncExternalStore(subscribe, remembered)) ?? USUAL_WISH

/** A lesson in the quality that comes nearest to a wish; as it is where there is none to choose. */
export function inQuality(lesson: Offered, wish: Wish): Offered {
  const size = pick(lesson.sizes ?? [], wish)
  return size ? { ...lesson, bytes: size.bytes, wish: { quality: size.quality, lines: size.lines } } : lesson
}

/** What lessons can be downloaded in, and what all of them weigh then; empty where there is no choice. */
export function optionsOf(list: readonly Offered[]): LessonSize[] {
  const hasOneOfEach = list.every(
    ({ sizes = [] }) => new Set(sizes.map(({ quality }) => quality)).size === sizes.length,
  )
  const found = new Map<string, Wish>()
  for (const { quality, lines } of list.flatMap(({ sizes }) => sizes ?? [])) {
    const key = hasOneOfEach ? quality : wishText({ quality, lines })
    const known = found.get(key)
    // Where lessons differ in what a name stands for, the name alone is said.
    found.set(key, { quality, lines: known && known.lines !== lines ? null : lines })
  }
  return [...found.values()].sort(byQuality).map(({ quality, lines }) => ({
    quality,
    lines,
    bytes: list.reduce((sum, each) => sum + inQuality(each, { quality, lines }).bytes, 0),
  }))
}

/** A student who has never chosen is asked with the first download. Null: they would rather not. */
export async function askQuality(list: readonly Offered[]): Promise<readonly Offered[] | null> {
  const options = optionsOf(list)
  if (options.length < 2 || packSettings.wish()) return list
  const kind = list.find(({ sizes }) => sizes?.length)?.kind ?? 'video'
  const key = await feedback.ask({
    title: `下载${QUALITY_OF[kind]}`,
    message: `以后都按选好的${QUALITY_OF[kind]}下载，在课程目录上方可以更改。`,
    actions: [
      { key: 'cancel', label: '取消' },
      ...options.map((size) => ({
        key: wishText(size),
        label: `${qualityText(kind, size)}，${bytesText(size.bytes)}`,
      })),
    ],
  })
  const wish = wishOf(key)
  if (!wish) return null
  chooseQuality(wish)
  return list.map((each) => inQuality(each, wish))
}

/** As it is kept: what can be chosen is the course's to say. */
export const withoutSizes = ({ kind: _kind, sizes: _sizes, ...lesson }: Offered): WantedLesson => lesson
