import { offline, type VisitorRecord } from '#src/offline/index.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { ANONYMOUS } from '#src/offline/device/names.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { hasLeft, rememberLeft } from './visitorChoice.ts'

/** 12 次作答、2 道收藏、1 道有笔记 */
export function visitorNumbers({ waiting, answers, collected, noted }: VisitorRecord): string {
  const parts = [
    answers > 0 && `${answers} 次作答`,
    collected > 0 && `${collected} 道收藏`,
    noted > 0 && `${noted} 道题的笔记`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join('、') : `${waiting} 条操作`
}

/** Asks whose this is. Closing the dialog leaves the question for the next start. */
export async function askVisitor(): Promise<void> {
  const record = await offline.visitorRecord().catch(() => null)
  if (!record) return
  const choice = await feedback.ask({
    title: '登录前的学习记录',
    unasked: true,
    message: `这台设备上有未登录时的 ${visitorNumbers(record)}。如果是你自己的，可以合并到当前账号；手机与别人共用，请先不要合并，以后可在“我的资料”里合并。`,
    actions: [
      { key: 'leave', label: '暂不合并' },
      { key: 'merge', label: '合并到账号', tone: 'primary' },
    ],
  })
  if (choice === 'leave') rememberLeft(offline.owner)
  if (choice === 'merge') await mergeVisitor(record)
}

/** True when the record is the student's now. */
export async function mergeVisitor(record: VisitorRecord): Promise<boolean> {
  const undo = takeChapter()
  try {
    await offline.adoptVisitor()
    // In the words of the question: what else went along, such as settings, nobody has counted.
    feedback.toast(`已把 ${visitorNumbers(record)}合并到当前账号`)
    return true
  } catch {
    undo()
    await feedback.warn('没有合并成功，记录仍在这台设备上。请清理存储空间后，在“我的资料”里重试')
    return false
  }
}

/**
 * 继续学习 goes on with the visitor's chapter: it is what was studied last. Unless the record was left on the device first, and
 * the student has gone on since. Before the record itself, whose change makes screens read it.
 */
function takeChapter(): () => void {
  const [from, to] = [OWNER_KEYS.lastChapter(ANONYMOUS), OWNER_KEYS.lastChapter(offline.owner)]
  const [visitors, own] = [deviceMemory.get(from) ?? '', deviceMemory.get(to) ?? '']
  if (visitors === '' || (own !== '' && hasLeft(offline.owner))) return () => {}
  deviceMemory.set(to, visitors)
  deviceMemory.set(from, '')
  return () => {
    deviceMemory.set(to, own)
    deviceMemory.set(from, visitors)
  }
}
