import { feedback } from '#src/ui/feedback/feedback.ts'

/** Through the phone's own sheet; else the address is copied; else it is shown to be copied by hand. */
export async function share(title: string): Promise<void> {
  const url = `${window.location.origin}${window.location.pathname}`
  try {
    if (typeof navigator.share === 'function') return await navigator.share({ title, url })
    await navigator.clipboard.writeText(`${title} ${url}`)
    feedback.toast('链接已复制')
  } catch (error) {
    // The student has closed the sheet.
    if (error instanceof DOMException && error.name === 'AbortError') return
    await feedback.warn(`请长按复制链接：${url}`)
  }
}
