import { address } from './address.ts'
import { agreement } from './agreement.ts'
import { getCosImgSig, getPromise, getSite } from './config.ts'
import { consent } from './consent.ts'
import { coupon } from './coupon.ts'
import { course } from './course.ts'
import { exam } from './exam.ts'
import { getHomeData, getNotice } from './home.ts'
import { login } from './login.ts'
import { news } from './news.ts'
import { order } from './order.ts'
import { point } from './point.ts'
import { question } from './question.ts'
import { questionSet } from './questionSet.ts'
import { reminder } from './reminder.ts'
import { store } from './store.ts'
import { structural } from './structural.ts'
import { study } from './study.ts'
import { testing } from './testing.ts'
import { user as account } from './user.ts'
import { vip } from './vip.ts'
import { myWalletRecord, wallet } from './wallet.ts'

const config = { getSite, getPromise, getCosImgSig }
const home = { getNotice, getHomeData }
const user = { ...account, ...address, myWalletRecord }

/** The whole API on one page. A path's first word is its group. */
export const contract = {
  agreement,
  config,
  consent,
  coupon,
  course,
  exam,
  home,
  login,
  news,
  order,
  point,
  question,
  questionSet,
  reminder,
  store,
  structural,
  study,
  testing,
  user,
  vip,
  wallet,
}
export type Contract = typeof contract
