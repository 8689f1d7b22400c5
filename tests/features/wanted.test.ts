import { describe, expect, test } from 'vitest'
import { screenAt } from '#src/features/login/dialog/wanted.ts'

const ORIGIN = 'https://lijian.example'

describe('what is opened after a login', () => {
  test.each([
    ['/user/my_order', '/user/my_order'],
    ['/user/my_error?part=SX_1&kind=due', '/user/my_error?part=SX_1&kind=due'],
    // A new page is loaded, and a fragment would not load one.
    ['/user/my_order#tab', '/user/my_order'],
    [
      '/question/library_collect_study/all/我的收藏',
      '/question/library_collect_study/all/%E6%88%91%E7%9A%84%E6%94%B6%E8%97%8F',
    ],
    ['/user/../news/news_list', '/news/news_list'],
    ['/pdf/https%3A%2F%2Fother.example%2Fa.pdf', '/pdf/https%3A%2F%2Fother.example%2Fa.pdf'],
  ])('%s is a screen of this app', (path, screen) => expect(screenAt(path, ORIGIN)).toBe(screen))

  test.each([
    [''],
    ['user/my_order'],
    ['//evil.example'],
    ['//evil.example/user/my_order'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    ['/..//evil.example'],
    ['/.//evil.example'],
    ['https://evil.example/user'],
    ['https:evil.example'],
    ['https://lijian.example/user/my_order'],
    ['javascript:alert(1)'],
    [' javascript:alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['blob:https://lijian.example/1'],
    ['?next=/user'],
    ['#/user'],
  ])('%j is not', (path) => expect(screenAt(path, ORIGIN)).toBeNull())
})
