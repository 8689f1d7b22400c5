import { IconBook2, IconClipboardCheck, IconHome, IconListCheck, IconNews, IconPlayerPlay } from '@tabler/icons-react'

/** The six items (spec §2): highlighted by path prefix. */
export const NAV = [
  { to: '/', name: '首页', short: '首页', icon: IconHome, prefixes: [] },
  { to: '/course/course_list', name: '课程', short: '课程', icon: IconPlayerPlay, prefixes: ['/course'] },
  {
    to: '/question/library',
    name: '题库',
    short: '题库',
    icon: IconListCheck,
    prefixes: ['/question', '/question_set'],
  },
  { to: '/news/news_list', name: '资讯', short: '资讯', icon: IconNews, prefixes: ['/news'] },
  { to: '/store/store_list', name: '图书', short: '图书', icon: IconBook2, prefixes: ['/store'] },
  { to: '/exam/exam_list', name: '模拟考试', short: '模考', icon: IconClipboardCheck, prefixes: ['/exam'] },
] as const

export const isActive = (item: (typeof NAV)[number], path: string): boolean =>
  item.to === '/' ? path === '/' : item.prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))

const STUDYING =
  /^\/(today$|(question\/library_(study|error_study|collect_study|note_study)|question_set\/question_set_study|exam\/exam_(study|analysis)|testing\/testing_(study_page|analysis)|pdf)\/)/
/** Paths on which nothing may come between the student and what is studied. */
export const isStudying = (pathname: string): boolean => STUDYING.test(pathname)
/** Paths that no new version may reload: a lesson would stop, too. */
export const isBusy = (pathname: string): boolean => isStudying(pathname) || /^\/course\/course_[av]/.test(pathname)
