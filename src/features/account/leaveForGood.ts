import type { QueryClient } from '@tanstack/react-query'
import { forgetOwner } from '#src/offline/record/forget.ts'
import { offline } from '#src/offline/index.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { openAnew } from '#src/ui/dialog/newPage.ts'
import { forgetStudent } from './forgetStudent.ts'

/** The account is closed: nothing of the student stays on this device, and the next page is a visitor's. */
export async function leaveForGood(client: QueryClient): Promise<void> {
  const all = await offline
    .logout('discard')
    .then(() => forgetOwner(offline.owner))
    .then(
      () => true,
      () => false,
    )
  const end = () => forgetStudent(client)
  // Also of who closes the page instead of reading on.
  window.addEventListener('pagehide', end, { once: true })
  // What could not be deleted is under an owner that nobody will ever be again: shown to nobody, sent by nobody.
  const told = all ? '你在这台设备上的记录也已删除。' : '这台设备上的记录没有全部删除，可在浏览器设置里清除本站数据。'
  await feedback.warn(`账号已注销。${told}`)
  end()
  openAnew('/')
}
