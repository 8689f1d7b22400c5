import { expect, test } from 'vitest'
import { isBusy, isStudying } from '#src/app/shell/nav.ts'

test.each([
  ['a batch', '/question/library_study/C1/20/t', true, true],
  ['the sitting of a day', '/today', true, true],
  ['an exam', '/exam/exam_study/mock/exam/E1/t/0/60', true, true],
  ['a document', '/pdf/a.pdf', true, true],
  ['a picture', '/course/course_video/K1/K1_1/course', false, true],
  ['a voice', '/course/course_audio/K1/K1_1', false, true],
  ['a course', '/course/course_detail/K1', false, false],
  ['courses', '/course/course_list', false, false],
  ['home', '/', false, false],
])('%s', (_, path, studying, busy) => {
  expect(isStudying(path)).toBe(studying)
  expect(isBusy(path)).toBe(busy)
})
