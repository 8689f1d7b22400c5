import { expect, test } from 'vitest'
import { markText } from '#src/app/sync/markText.ts'
import type { SyncStatus } from '#src/offline/index.ts'

const status = (state: SyncStatus['state'], part: Partial<SyncStatus> = {}): SyncStatus => ({
  state,
  waiting: 0,
  dead: 0,
  fetched: null,
  lastError: '',
  lastSyncedAt: null,
  ...part,
})

test.each<[SyncStatus['state'], string, string]>([
  ['synced', '已同步', '2 条待同步'],
  ['waiting', '已同步', '2 条待同步'],
  ['syncing', '正在同步', '2 条待同步'],
  ['unanswered', '服务器暂无响应', '服务器暂无响应，2 条待同步'],
  ['offline', '离线', '离线，2 条待同步'],
  ['unwritten', '本地存储有问题', '本地存储有问题，2 条待同步'],
  ['needs-auth', '需要重新登录', '需要重新登录，2 条待同步'],
  ['error', '同步没有完成', '同步没有完成，2 条待同步'],
  ['visitor', '未登录', '2 条保存在设备上'],
])('the state %s is told, with nothing that waits and with two', (state, none, two) => {
  expect(markText(status(state))).toBe(none)
  expect(markText(status(state, { waiting: 2 }))).toBe(two)
})

test('a long record that is coming tells how much of it is here', () => {
  expect(markText(status('syncing', { fetched: 0.349 }))).toBe('正在下载学习记录 34%')
})

test('what was refused is told besides', () => {
  expect(markText(status('synced', { dead: 1 }))).toBe('已同步，1 条未能同步')
  expect(markText(status('error', { dead: 1 }))).toBe('同步没有完成，1 条未能同步')
})
