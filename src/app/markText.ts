import type { SyncStatus } from '#src/offline/index.ts'

/** The state of syncing in words. */
export function markText({ state, waiting, dead }: SyncStatus): string {
  const left = waiting > 0 ? `${waiting} 条待同步` : ''
  const refused = dead > 0 ? `，${dead} 条未被接受` : ''
  if (state === 'visitor') return waiting > 0 ? `${waiting} 条保存在本机` : '未登录'
  if (state === 'offline') return `离线${left && `，${left}`}${refused}`
  if (state === 'needs-auth') return `需要重新登录${left && `，${left}`}${refused}`
  return `${left || (state === 'syncing' ? '正在同步' : '已同步')}${refused}`
}
