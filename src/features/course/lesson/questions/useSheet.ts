import { type ComponentType, useEffect, useState } from 'react'
import type { QuestionSheetProps } from '#src/features/course/lessonQuestion/QuestionSheet.tsx'

/** What shows a question comes with the first lesson that has some, before it is needed. Null: it has not come. */
export function useSheet(wanted: boolean): ComponentType<QuestionSheetProps> | null {
  const [sheet, setSheet] = useState<{ Sheet: ComponentType<QuestionSheetProps> } | null>(null)
  useEffect(() => {
    if (!wanted) return
    let left = false
    import('#src/features/course/lessonQuestion/QuestionSheet.tsx').then(
      // A prevented preload error resolves without a module.
      (module) => !left && setSheet(module ? { Sheet: module.QuestionSheet } : null),
      () => {},
    )
    return () => {
      left = true
    }
  }, [wanted])
  return sheet?.Sheet ?? null
}
