import type { Icon } from '@tabler/icons-react'
import {
  IconBookmark,
  IconCrown,
  IconDeviceMobile,
  IconFileText,
  IconFileX,
  IconInfoCircle,
  IconLock,
  IconMapPin,
  IconNotebook,
  IconPackage,
  IconPlayerPlay,
  IconShieldCheck,
  IconStack2,
  IconTargetArrow,
  IconTicket,
  IconUserCircle,
  IconWallet,
} from '@tabler/icons-react'

/** A page of one's own. */
const PAGES = {
  error: { to: '/user/my_error', name: '我的错题', short: '错题', icon: IconFileX },
  collect: { to: '/user/my_collect', name: '我的收藏', short: '收藏', icon: IconBookmark },
  note: { to: '/user/my_note', name: '我的笔记', short: '笔记', icon: IconNotebook },
  set: { to: '/user/my_set', name: '我的题集', short: '题集', icon: IconStack2 },
  course: { to: '/user/my_course', name: '我的课程', short: '课程', icon: IconPlayerPlay },
  order: { to: '/user/my_order', name: '我的订单', short: '订单', icon: IconPackage },
  coupon: { to: '/user/my_coupon', name: '我的优惠券', short: '优惠券', icon: IconTicket },
  wallet: { to: '/user/my_wallet', name: '我的钱包', short: '钱包', icon: IconWallet },
  vip: { to: '/user/my_vip', name: '我的会员', short: '会员', icon: IconCrown },
  address: { to: '/user/my_address', name: '收货地址', short: '收货地址', icon: IconMapPin },
  userinfo: { to: '/user/my_userinfo', name: '我的资料', short: '资料', icon: IconUserCircle },
} as const
export type PageKey = keyof typeof PAGES

/** Learning first, then what was bought, then the account: in this order wherever they are listed. */
export const SECTIONS: readonly { title: string; pages: readonly PageKey[] }[] = [
  { title: '学习', pages: ['error', 'collect', 'note', 'set', 'course'] },
  { title: '订单与权益', pages: ['order', 'coupon', 'wallet', 'vip', 'address'] },
  { title: '账号与设置', pages: ['userinfo'] },
]
export const pageOf = (key: PageKey): (typeof PAGES)[PageKey] => PAGES[key]

/** Besides the pages of one's own, 我的 leads here. */
export const SETTINGS: readonly {
  to: '/user/my_userinfo' | '/device' | '/platform_promise' | '/agreement/user' | '/agreement/privacy' | '/about'
  hash?: string
  name: string
  icon: Icon
}[] = [
  { to: '/user/my_userinfo', hash: 'plan', name: '学习计划', icon: IconTargetArrow },
  { to: '/device', name: '设备与数据', icon: IconDeviceMobile },
  { to: '/platform_promise', name: '平台承诺', icon: IconShieldCheck },
  { to: '/agreement/user', name: '用户协议', icon: IconFileText },
  { to: '/agreement/privacy', name: '隐私政策', icon: IconLock },
  { to: '/about', name: '关于我们', icon: IconInfoCircle },
]
