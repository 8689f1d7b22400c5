import { useState } from 'react'
import type { CourseKind } from '#src/contract/course.ts'
import type { PlayedFile } from '#src/contract/course.ts'
import { type Choice, pick, QUALITY_NAMES, qualityText, type Wish } from '#src/domain/course/quality.ts'
import { watchPrefs } from '../prefs.ts'
import type { LessonSource, SourceState } from './source.ts'

export interface PlayedQuality {
  /** What can be chosen; fewer than two: nothing. */
  choices: readonly Choice<PlayedFile>[]
  /** Null: 自动. */
  chosen: Choice<PlayedFile> | null
  /** What stands on the button; null: there is nothing to choose. */
  text: string | null
  /** What plays from this device has the quality that it was downloaded in, whatever is chosen; null: it does not, or has none. */
  kept: string | null
  choose: (wish: Wish | null) => void
}

/** 画质: as this device likes it while there is a network. What is downloaded plays as it is. */
export function useQuality(
  source: LessonSource | null,
  { choices, kept }: SourceState,
  kind: CourseKind,
): PlayedQuality {
  const [wish, setWish] = useState(watchPrefs.quality)
  const chosen = (wish && pick(choices, wish)) ?? null
  const quality = kept?.rendition.quality
  const choose = (next: Wish | null): void => {
    watchPrefs.setQuality(next)
    setWish(next)
    source?.choose()
  }
  return {
    choices,
    chosen,
    text: choices.length < 2 ? null : chosen ? qualityText(kind, chosen) : '自动',
    kept: quality ? QUALITY_NAMES[kind][quality] : null,
    choose,
  }
}
