import { offline } from '#src/offline/index.ts'
import { persist } from '#src/offline/device/persist.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

/** Says, once, that the browser has cleared what was not sent yet, and what keeps it from doing so again. */
export async function tellLost(): Promise<void> {
  const lost = await offline.lost().catch(() => 0)
  if (lost === 0) return
  const choice = await feedback.ask({
    title: '提示信息',
    message: `有 ${lost} 条未同步的记录被系统清除，已无法找回。存储空间不足或清理缓存时，浏览器会删掉网页保存的数据。请点“保留数据”，并在页面底部选“添加到桌面”，以后就不会被清除。`,
    unasked: true,
    actions: [
      { key: 'ok', label: '知道了' },
      { key: 'keep', label: '保留数据', tone: 'primary' },
    ],
  })
  offline.lostIsTold()
  if (choice === 'keep')
    feedback.toast((await persist()) ? '浏览器会保留你的数据' : '浏览器没有同意，请添加到桌面后再试')
}
