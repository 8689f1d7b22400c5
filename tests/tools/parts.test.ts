import { expect, test } from 'vitest'
import { circleOf, fileName, partOf } from '#tools/parts.ts'

const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports })

test('chunks that import each other in a circle are found, however long the way', () => {
  expect(circleOf([chunk('a', 'b', 'c'), chunk('b', 'c'), chunk('c')])).toBeNull()
  expect(circleOf([chunk('a', 'b'), chunk('b', 'c'), chunk('c', 'd'), chunk('d', 'b')])).toEqual(['b', 'c', 'd', 'b'])
})

test('a module belongs to the innermost folder of parts that holds it', () => {
  expect(partOf('/app/src/features/course/lesson/LessonPage.tsx')).toBe('lesson')
  expect(partOf('/app/src/features/course/lesson/hls/hls.ts')).toBe('hls')
  expect(partOf('\0virtual:regions')).toBe('regions')
  expect(partOf('/app/src/features/course/CourseListPage.tsx')).toBeNull()
})

test('a file is named after its part, else after its module, without parameters or hyphens', () => {
  expect(fileName('WalletPage', ['/app/src/ui/Button.tsx', '/app/src/features/wallet/WalletPage.tsx'])).toBe('wallet')
  expect(fileName('InstallSheet.css', ['src/install/guide/InstallSheet.tsx'])).toBe('guide')
  expect(fileName('course_detail._no', [])).toBe('course_detail')
  expect(fileName('-list', [])).toBe('list')
})
