import { type ReactNode, useState } from 'react'
import { Button } from '../Button.tsx'

/**
 * Keeps a long table short: its first rows, and a button that stands below it and shows all of them. The button stays where the
 * focus is, and folds the table again. A single row more is not worth a button, which is as high.
 */
export function useFold<T>(rows: readonly T[], first: number): { shown: readonly T[]; fold: ReactNode } {
  const [all, setAll] = useState(false)
  if (rows.length <= first + 1) return { shown: rows, fold: null }
  return {
    shown: all ? rows : rows.slice(0, first),
    fold: (
      <Button look="quiet" small aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? '收起' : `展开全部 ${rows.length} 项`}
      </Button>
    ),
  }
}
