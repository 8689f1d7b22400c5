import { IconRefresh } from '@tabler/icons-react'
import type { LessonsState } from '#src/offline/downloads/lessons/lessons.ts'
import { seenNow } from '#src/offline/device/highestTime.ts'
import { Button } from '#src/ui/Button.tsx'
import { start } from './acts.ts'
import type { Offered } from './quality.ts'
import { updatesOf, updateText } from './view.ts'

interface UpdateAllProps {
  list: readonly Offered[]
  state: LessonsState
}

/** One button updates all lessons of a course that was made anew; a single one has its own. */
export function UpdateAll({ list, state }: UpdateAllProps) {
  const updates = updatesOf(list, state, seenNow())
  if (updates.length < 2) return null
  const bytes = updates.reduce((sum, each) => sum + each.bytes, 0)
  return (
    <Button look="light" small onClick={() => start(updates)}>
      <IconRefresh size={18} aria-hidden="true" />
      全部{updateText(bytes)}
    </Button>
  )
}
