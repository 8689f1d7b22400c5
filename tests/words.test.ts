import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
/** The readers of papers know how others write, and the sample questions quote people who say 您. */
const QUOTES = ['server/content/formats/', 'server/demo/content/']
const files = globSync(['{src,server}/**/*.{ts,tsx}', 'server/demo/**/*.{json,svg}', 'index.html'], { cwd: ROOT })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !QUOTES.some((folder) => file.startsWith(folder)))
const lines = files.flatMap((file) =>
  readFileSync(path.join(ROOT, file), 'utf8')
    .split('\n')
    .map((line) => `${file}: ${line.trim()}`),
)
/** Legal texts say 您. */
const LEGAL = 'server/agreement/'
/** Every line of the sources that has these words, with its file. */
const linesWith = (words: string): string[] => lines.filter((line) => line.includes(words))

/** The specification gives these word by word. */
const GIVEN = [
  '您还未登录哦，请登录后访问。',
  '验证码已发送到您的手机!',
  '确定要退出吗？退出后可能会清空与您相关的部分本地数据哦。',
  '抱歉，您访问的页面不存在。',
]

describe('what students read', () => {
  test('says 你 to them, and 您 only where the specification gives the words', () => {
    const polite = linesWith('您')
    expect(polite.filter((line) => !line.startsWith(LEGAL) && !GIVEN.some((words) => line.includes(words)))).toEqual([])
    expect(GIVEN.filter((words) => !polite.some((line) => line.includes(words)))).toEqual([])
  })

  test.each([
    ['备份文件', '救援文件'],
    ['错因', '为什么错'],
    ['添加到桌面', '装到桌面'],
    ['已上传', '已送达'],
    ['已同步', '已入账'],
    ['上传', '上报'],
    ['未能同步', '未被接受'],
    ['存储空间', '本机空间'],
    ['还没有下载', '不在本机'],
    ['已下载课程', '本机课程'],
    ['丢分', '没有失分'],
    ['排名', '上榜'],
    ['计 0 分', '记 0 分'],
  ])('has one word for one thing: %s, never %s', (_, retired) => expect(linesWith(retired)).toEqual([]))
})
