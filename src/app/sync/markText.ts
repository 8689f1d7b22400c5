import type { SyncStatus } from '#src/offline/index.ts'
import { fetchingText } from '#src/offline/status.ts'

/** The state of syncing in words. */
export function markText({ state, waiting, dead, fetched }: SyncStatus): string {
  const left = waiting > 0 ? `${waiting} 条待同步` : ''
  const refused = dead > 0 ? `，${dead} 条未能同步` : ''
  if (state === 'visitor') return waiting > 0 ? `${waiting} 条保存在设备上` : '未登录'
  const what = STUCK[state]
  if (what) return `${what}${left && `，${left}`}${refused}`
  if (state === 'syncing' && fetched !== null) return fetchingText(fetched)
  return `${left || (state === 'syncing' ? '正在同步' : '已同步')}${refused}`
}

const STUCK: Partial<Record<SyncStatus['state'], string>> = {
  offline: '离线',
  unwritten: '本地存储有问题',
  unanswered: '服务器暂无响应',
  'needs-auth': '需要重新登录',
  error: '同步没有完成',
}
