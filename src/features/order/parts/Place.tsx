import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OrderLine } from '#src/contract/order.ts'

/** Where what was bought is, and what one does there; a book is read elsewhere. */
function placeOf({ kind, no }: Pick<OrderLine, 'kind' | 'no'>) {
  switch (kind) {
    case 'course':
      return { act: '去学习', link: linkOptions({ to: '/course/course_detail/$no', params: { no } }) }
    case 'package':
      return { act: '去学习', link: linkOptions({ to: '/course/course_package/$no', params: { no } }) }
    case 'set':
      return { act: '去做题', link: linkOptions({ to: '/question_set/question_set_detail/$no', params: { no } }) }
    case 'exam':
      return { act: '去模考', link: linkOptions({ to: '/exam/exam_detail/$examId', params: { examId: no } }) }
    case 'library':
      return { act: '去练习', link: linkOptions({ to: '/question/library' }) }
    case 'vip':
      return { act: '查看会员', link: linkOptions({ to: '/user/my_vip' }) }
    case 'book':
      return { act: null, link: linkOptions({ to: '/store/store_detail/$no', params: { no } }) }
  }
}

/** What to do with it now. */
export const actOf = (line: Pick<OrderLine, 'kind' | 'no'>): string | null => placeOf(line).act

interface PlaceProps {
  line: Pick<OrderLine, 'kind' | 'no'>
  look?: { className: string | undefined }
  children: ReactNode
}
/** Leads to what was bought. */
export const Place = ({ line, look, children }: PlaceProps) => (
  <Link {...placeOf(line).link} {...look}>
    {children}
  </Link>
)
