import type { UseNavigateResult } from '@tanstack/react-router'
import { lessonWay } from '#src/features/course/lessonWay.ts'

/** Opens a lesson where it plays, from the screen that is shown now. */
export const openLesson = (navigate: UseNavigateResult<string>, ...lesson: Parameters<typeof lessonWay>): void =>
  void navigate({ ...lessonWay(...lesson), state: { from: window.location.pathname } })
