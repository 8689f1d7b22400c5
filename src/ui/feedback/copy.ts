import { feedback } from './feedback.ts'

/** @param what 单号, 链接: shown to be copied by hand where the browser has no clipboard */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    feedback.toast('已复制')
  } catch {
    await feedback.warn(`请长按复制${what}：${text}`)
  }
}
