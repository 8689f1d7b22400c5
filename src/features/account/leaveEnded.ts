import type { QueryClient } from '@tanstack/react-query'
import { offline } from '#src/offline/index.ts'
import { markEnded } from './endedMark.ts'
import { openAnew } from '#src/ui/dialog/newPage.ts'
import { forgetStudent } from './forgetStudent.ts'

/**
 * The login of this device was ended elsewhere, maybe because somebody else has it: nothing of the student is shown here until they
 * log in again. What waits to be sent stays for that.
 */
export async function leaveEnded(client: QueryClient): Promise<void> {
  markEnded()
  await offline.logout('keep').catch(() => {})
  forgetStudent(client)
  openAnew('/')
}
