import { handouts } from '#tests/support/handouts.ts'

export const STUDY = '/question/library_study/E2E_c1/20/第1章'
const STEM = '第1章第1题：'
/** Every address of studying, what only its own content says, and what of the app is kept when it is used. */
export const ROUTES: [address: string, says: string | RegExp, part?: RegExp][] = [
  ['/', '今日学习'],
  ['/today', '今日任务'],
  ['/question/library', 'E2E 章节题库'],
  [STUDY, /第1章第\d题：/],
  ['/user/my_error', '再答对 2 次自动移出'],
  ['/question/library_error_study/all/answer/0', STEM],
  ['/question/library_error_study/all/answer/1', '今天没有要复习的题'],
  ['/question/library_error_study/E2E_c1/recite/0', STEM],
  ['/user/my_collect', STEM],
  ['/question/library_collect_study/all/收藏', STEM],
  ['/question/library_collect_study/E2E_c1/收藏/E2E_q1', STEM],
  ['/user/my_note', '注意进位'],
  ['/question/library_note_study/all', STEM],
  ['/question_set/question_set_list', '士兵考学数学仿真卷'],
  ['/question_set/question_set_detail/S_math', '数学仿真卷（一）'],
  ['/question_set/question_set_study/S_math/S_math_1/x', /第1题，共21题/],
  ['/user/my_set', '士兵考学数学仿真卷'],
  ['/user/my_userinfo', '登录密码'],
  ['/news/news_list', '怎样读懂一份招考公告'],
  ['/news/news_list?part=calendar', '士兵考学文化科目统考（预计）'],
  ['/news/news_detail/N_method_errors', '不少人的错题本越攒越厚'],
  ['/exam/exam_list', '数学全真模考（随时可考）'],
  ['/exam/exam_detail/X_math', '试卷结构'],
  ['/exam/exam_rank/X_wz_public/x/0', '同分并列', /\/rank-.*\.js$/m],
  ['/testing/testing_study_page/T_entrance/offline/exam/x', /第1题，共20题/],
  ['/testing/testing_analysis/T_entrance/offline/x', '还没有交卷'],
  ['/testing/testing_detail/T_entrance/0', '从哪一章开始'],
  ['/course/course_list', '数学零基础入门'],
  ['/course/course_detail/K_math0', '课程介绍'],
  ['/course/course_package/KP_sprint', '2 门课程'],
  ['/course/course_video/K_math0/K_math0_l1/course', '集合与元素', /\/lesson-.*\.js$/m],
  ['/course/course_audio/K_gangwei/K_gangwei_l1', '行文方向'],
  ['/course/course_list?kept=true', '已下载课程'],
  ['/user/my_course', '还没有购买或学过的课程'],
  [`/pdf/${encodeURIComponent(handouts.math.address)}`, '可离线看'],
  ['/store/store_list', '考前预测卷 8 套', /\/store-.*\.js$/m],
  ['/store/store_detail/B_mock', '图书介绍'],
  ['/vip/vip_detail/V_all', '开通后可以用'],
  ['/user/my_vip', '还没有开通会员'],
  ['/user/my_order', '还没有订单'],
  ['/user/my_wallet', '这个月没有收支'],
  ['/user/my_coupon', '没有可用的优惠券'],
  ['/user/my_address', '还没有收货地址', /\/address-.*\.js$/m],
]

/** Besides those of studying. */
export const OTHERS: [address: string, says: string | RegExp][] = [
  ['/platform_promise', '一题不丢'],
  ['/order/payment/book-B_mock-1-B_mock_math', '确认订单'],
  ['/user', '我的课程'],
  ['/no/such/page', '页面不存在'],
  ['/auto_close', /支付/],
]
