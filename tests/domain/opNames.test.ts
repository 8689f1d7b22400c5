import { expect, test } from 'vitest'
import { countedKinds, opName } from '#src/domain/record/opNames.ts'

const kinds = (...names: string[]) => names.map((kind) => ({ kind }))

test('what waits is counted by kind, the most first', () => {
  expect(countedKinds(kinds('note', 'answer', 'watch', 'answer', 'answer', 'note'))).toBe('作答 3、笔记 2、课程学习 1')
  expect(countedKinds([])).toBe('')
})

test('kinds that this app does not know are one kind', () => {
  expect(countedKinds(kinds('tomorrow', 'constructor', 'answer'))).toBe('其他操作 2、作答 1')
})

test.each<[string, unknown, string]>([
  ['book', { in: true }, '加入错题本'],
  ['book', { in: false }, '移出错题本'],
  ['cause', { cause: 'guess' }, '错因标记'],
  ['cause', { cause: '' }, '取消错因标记'],
  ['collect', { folder: '' }, '收藏'],
  ['collect', { folder: null }, '取消收藏'],
  ['note', { text: '记住' }, '笔记'],
  ['note', { text: '' }, '删除笔记'],
  ['lessonNote', { text: '记住' }, '课时笔记'],
  ['lessonNote', { text: '' }, '删除课时笔记'],
  ['folder', { name: '重点' }, '收藏夹“重点”'],
  ['folder', { name: '' }, '删除收藏夹'],
  ['setting', { name: 'examDate' }, '设置：考试日期'],
  ['setting', { name: 'constructor' }, '设置'],
  ['examHandIn', {}, '考试交卷'],
  ['constructor', null, '其他操作'],
])('an op %s with %j is called %s', (kind, payload, name) => expect(opName({ kind, payload })).toBe(name))
