import { ACTS_KEPT_YEARS } from '#server/config/store.ts'
import { KNOWN_MS, SESSION_MOST_MS } from '#server/login/store.ts'
import { TRADE_YEARS } from '#server/order/store.ts'
import { KEPT_DAYS } from '#server/security/store.ts'

/**
 * Every kind of personal data that the server keeps. 隐私政策 is written from it, and tests/server/dataMap.test.ts reads the
 * database's catalogue: a column that stands neither here nor in `NOT_PERSONAL` is red, and so is one that no longer exists.
 */
export interface DataKind {
  /** Students read it under this name. */
  name: string
  /** Lists its columns by table, with spaces between. */
  where: Readonly<Record<string, string>>
  purpose: string
  ground: Ground
  /** Students read how long it stays. What leaves before the account is closed does so by retention.ts. */
  keeps: string
  /** Says who else receives some of it, and what of it. */
  receivers?: readonly string[]
}

/** The law knows these grounds on which an operator may have it. */
export type Ground = '履行与您的约定' | '履行法定义务' | '您的单独同意'

const DAY_MS = 86_400_000
const days = (ms: number): string => `${ms / DAY_MS} 天`
const UNTIL_CLOSED = '到您注销账号为止'

export const DATA_KINDS: readonly DataKind[] = [
  {
    name: '手机号',
    where: { student: 'mobile' },
    purpose: '注册、登录和找回账号；验证是您本人操作',
    ground: '履行与您的约定',
    keeps: UNTIL_CLOSED,
    receivers: ['短信服务商：手机号和验证码，用来发送短信'],
  },
  {
    name: '登录密码',
    where: { student: 'password' },
    purpose: '用密码登录；只保存加密后的结果，我们也看不到原文',
    ground: '履行与您的约定',
    keeps: UNTIL_CLOSED,
  },
  {
    name: '账号编号和注册时间',
    where: { student: 'uid created_at study_rev' },
    purpose: '区分不同的账号',
    ground: '履行与您的约定',
    keeps: UNTIL_CLOSED,
  },
  {
    name: '昵称和头像',
    where: {
      student: 'nickname portrait',
      upload_prefix: 'uid prefix',
      bucket_object: 'key uid file size type etag upload_id at',
      bucket_upload: 'id uid key at',
    },
    purpose: '在您的页面上显示；您同意之后，昵称的部分文字显示在考试排名里',
    ground: '履行与您的约定',
    keeps: `${UNTIL_CLOSED}；可以随时修改`,
    receivers: ['对象存储服务商：头像图片，用来保存和显示'],
  },
  {
    name: '验证码',
    where: { sms_code: 'mobile code_hash expires_at wrong', image_code: 'id mobile code expires_at' },
    purpose: '核对短信验证码和图形验证码',
    ground: '履行与您的约定',
    keeps: '过期后一小时内删除',
  },
  {
    name: '登录设备',
    where: {
      session: 'token_hash uid created_at expires_at seen_at id device',
      known_device: 'uid device_hash seen_at',
      ended_session: 'token_hash at',
    },
    purpose: '保持登录；让您看到账号在哪些设备上登录，在新设备登录时提醒您',
    ground: '履行与您的约定',
    keeps: `登录状态最长 ${days(SESSION_MOST_MS)}；常用设备的标识在最后一次使用后保留 ${days(KNOWN_MS)}`,
  },
  {
    name: '登录和账号安全记录',
    where: { security_event: 'id at last_at times kind uid mobile network detail' },
    purpose: '发现和处理盗号、撞库等风险；手机号和网络地址都只保留一部分',
    ground: '履行法定义务',
    keeps: `${KEPT_DAYS} 天，注销账号后也是如此`,
  },
  {
    name: '操作次数',
    where: { rate: 'key window_start hits' },
    purpose: '限制短时间内的大量请求，防止攻击；按手机号、账号或网络地址计数',
    ground: '履行法定义务',
    keeps: '最长 2 天',
  },
  {
    name: '学习记录',
    where: {
      study_op:
        'uid op_id device seq stream kind v payload payload_hash ctx client_at effective_at verdict code msg right question_no created_at own_at foretold',
      study_record: 'uid kind id rev last_at last_op body',
      study_device: 'uid device ack_seq seen_at',
      remark_failed: 'remark_id uid tries due_at',
    },
    purpose: '保存您的作答、错题、收藏、笔记、听课进度和设置，在您的设备之间同步',
    ground: '履行与您的约定',
    keeps: UNTIL_CLOSED,
  },
  {
    name: '记忆规律和考试日预测',
    where: {
      memory_fit: 'uid next_rev tried_at reviews kept common_loss own_loss',
      exam_forecast: 'uid exam_day horizon made_at studied known low high came compared',
    },
    purpose: '按您自己的复习结果安排复习，检查预测准不准',
    ground: '履行与您的约定',
    keeps: UNTIL_CLOSED,
  },
  {
    name: '考试报名和成绩',
    where: {
      exam_apply: 'exam_no uid at opened_at',
      exam_entry: 'exam_no uid attempt_id handed_at counted score elapsed_ms late held',
    },
    purpose: '报名、阅卷和排名',
    ground: '履行与您的约定',
    keeps: `${UNTIL_CLOSED}；已计入排名的成绩改为匿名，以免别人的名次变动`,
  },
  {
    name: '资讯阅读记录',
    where: { news_seen: 'news_no day reader counted' },
    purpose: '统计文章的阅读人数，同一个人一天只计一次',
    ground: '履行与您的约定',
    keeps: '最长 2 天',
  },
  {
    name: '学习提醒',
    where: {
      push_subscription: 'session uid endpoint p256dh auth created_at',
      reminded: 'uid day tries again_at',
    },
    purpose: '在您选择的时间提醒您学习',
    ground: '您的单独同意',
    keeps: '到您关闭提醒、退出登录或注销账号为止',
    receivers: ['您所用浏览器的消息推送服务商（可能在境外）：提醒的文字，内容加密'],
  },
  {
    name: '您同意过什么',
    where: { consent: 'id uid kind version given at device' },
    purpose: '记下您什么时候、在什么设备上同意或者撤回了哪一项，供您和我们查对',
    ground: '履行法定义务',
    keeps: UNTIL_CLOSED,
  },
  {
    name: '收货地址',
    where: { address: 'uid id name mobile place detail is_default created_at' },
    purpose: '寄送您购买的图书',
    ground: '履行与您的约定',
    keeps: '到您删除地址或注销账号为止',
  },
  {
    name: '订单和支付记录',
    where: {
      orders:
        'uid id key state created_at expires_at ships goods freight discount wallet due coupon_id address remark parcel paid_at shipped_at completed_at cancelled_at refunded_at refund_asked_at refund_asked_in refund_reason refund_approved_at refund_declined',
      order_line: 'uid order_id at kind no variant title detail cover price quantity weight days until',
      payment:
        'id uid order_id key provider device amount state begun_at expires_at ref paid_at ask_at asked refund_state refund_at refunded_at came stranded_at refund_no refund_amount returned owed_at refund_failed_at',
      ledger_entry: 'uid tx account amount kind order_id balance at seq',
      wallet: 'uid balance',
    },
    purpose: '收款、发货、退款和对账',
    ground: '履行与您的约定',
    keeps: `注销账号后，收货人、地址、快递单号、备注和退款原因在交易结束满 ${TRADE_YEARS} 年时删除；金额作为账簿保留，不再对应到个人`,
    receivers: ['微信支付、支付宝：订单号和金额，用来收款和退款', '快递公司：收货人、电话和地址，用来送货'],
  },
  {
    name: '优惠券、兑换和开通记录',
    where: {
      coupon_owned: 'uid id coupon_no at order_id used_at',
      redemption: 'hash uid at',
      entitlement: 'uid kind no until base',
      entitlement_grant: 'uid source kind no days until at revoked_at',
    },
    purpose: '发放、使用优惠券和兑换码，开通您购买的内容',
    ground: '履行与您的约定',
    keeps: `${UNTIL_CLOSED}；与订单有关的作为交易记录保留，不再对应到个人`,
  },
  {
    name: '运营人员的操作记录',
    where: { operator_log: 'id at what before after' },
    purpose: '记下运营人员对账号、订单和款项做过什么，以便追查',
    ground: '履行法定义务',
    keeps: `${ACTS_KEPT_YEARS} 年，注销账号后也是如此`,
  },
]

/** The app keeps this on a student's own device. `stores` names databases, caches and small values; a name that ends with `:` has its owner behind it. */
export interface DeviceKind {
  name: string
  stores: string
  purpose: string
  keeps: string
}
export const DEVICE_KINDS: readonly DeviceKind[] = [
  {
    name: '登录状态和首屏内容',
    stores: 'user jk-view jk-boot jk-ended',
    purpose: '记住是谁在学习，没有网络也能打开',
    keeps: '退出登录时删除',
  },
  {
    name: '学习记录和草稿',
    stores:
      'jk-outbox jk-log noted-v1 worker-writes-v1 jk-waiting: jk-lost: jk-visitor-left: jk-torn jk-last: jk-subject: jk-lesson: jk-watched: jk-order:',
    purpose: '没有网络时照常学习；还没上传的记录先存在这里',
    keeps: '退出登录后仍留在设备上，再次登录时接着用；注销账号或清除浏览器数据时删除',
  },
  {
    name: '看过的内容',
    stores: 'jk-cache: api-v1: img-v1 part-v1 doc-v1 jk-documents jk-news-seen jk-news-ahead jk-entries jk-courses',
    purpose: '再次打开时更快，没有网络也能看',
    keeps: '空间不足时自动清理，也可以在“设备与数据”里删除',
  },
  {
    name: '下载的离线包和课程',
    stores: 'jk-packs pack-img-v1 jk-media lesson-img-v1 jk-room',
    purpose: '没有网络时做题、听课',
    keeps: '到您删除为止',
  },
  {
    name: '这台设备上的设置',
    stores:
      'jk-chosen jk-banner jk-notice-dismissed jk-installed jk-install-later jk-scheme jk-night jk-font jk-lines jk-face jk-eyes jk-split jk-auto-next jk-buzz jk-listening jk-hint-player jk-shuffle jk-setup jk-set-mode jk-speed jk-next-lesson jk-subtitles jk-lesson-keys jk-lesson-questions jk-quality jk-note-pauses jk-pdf-paper jk-wifi-only jk-saver jk-download-quality jk-all-offered jk-unkept-read jk-chunk-reload jk-sms-until',
    purpose: '记住字号、夜间模式、倍速等选择，不再重复提示',
    keeps: '到您清除浏览器数据为止',
  },
  {
    name: '校准时间',
    stores: 'jk-skew jk-seen',
    purpose: '没有网络时也能算准考试时间',
    keeps: '到您清除浏览器数据为止',
  },
]

/** These columns say nothing of a person: content, shop windows, counters, work of the server itself. */
export const NOT_PERSONAL: Readonly<Record<string, string>> = {
  agreement: 'kind version title html source changes at',
  answerable: 'no question_no chapter_no library_no body points since keyed guarded',
  answerable_past: 'no since upto body',
  area: 'key name position',
  block: 'chapter_no at rev count body',
  book: 'no kind title author intro details pictures directions areas published_at withdrawn rev position',
  book_variant: 'no book_no name price weight gives stock sold position retired',
  bucket_part: 'upload_id part file size etag',
  calendar_entry: 'no title kind from_day to_day source note directions areas withdrawn',
  chapter: 'no library_no parent title position total',
  coupon: 'no title off_kind off_value off_most threshold kinds from_at until_at withdrawn',
  course:
    'no kind title subject_no teacher about_teacher intro cover directions areas price vip days published_at libraries handouts position seconds trials lessons withdrawn',
  course_package: 'no title intro cover directions areas price vip days position withdrawn',
  course_unit: 'no course_no title position',
  exam: 'no kind title intro directions areas price vip starts_at ends_at rank_closes_at minutes partial count full_score sections rev apply_count position',
  exam_category: 'no name position',
  exam_direction: 'key category_no name position areas about subjects',
  exam_paper: 'exam_no rev partial body asked seal_key minutes has_multiple',
  exam_question: 'question_no exam_no',
  exam_tally: 'exam_no rev part score n',
  formula: 'key latex',
  job: 'id kind key args state cursor progress holder lease_until tries cancel result created_at ended_at',
  kysely_migration: 'name timestamp',
  kysely_migration_lock: 'id is_locked',
  lesson: 'no course_no unit_no title seconds trial bytes rev media position retired edition questions',
  library: 'no subject_no title directions areas position pack sets_only',
  news: 'no category_no kind title summary source published_at cover html searched directions areas withdrawn views',
  news_category: 'no name position',
  operator_content: 'no at',
  package_course: 'package_no course_no position',
  point: 'no subject_no parent name position',
  question: 'no chapter_no position type hash body retired version free',
  question_set: 'no kind title intro directions areas price vip trial position',
  question_version: 'question_no version hash body replaced_at',
  redeem_code: 'hash coupon_no duration_no days uses used at',
  release: 'id library_no no at what target note added changed restored retired frame points',
  release_draft: 'library_no at note file replaces base total bank',
  release_draft_part: 'library_no at body',
  release_question: 'release_id question_no version chapter_no position retired',
  remark: 'id nos at cursor done_at moved',
  sandbox_payment: 'id amount title state expires_at paid_at refunded refunds',
  set_entry: 'item_no at section question_no rev scores',
  set_item: 'no set_no position title minutes partial count full_score sections rev body trial trial_locked retired',
  set_question: 'question_no set_no since',
  set_snapshot: 'item_no rev partial body trial free',
  setting: 'key value',
  stock_receipt: 'variant_no receipt count at',
  subject: 'no name position',
  tally: 'question_no since pick n right',
  tally_queue: 'question_no since pick n right',
  testing:
    'no kind title intro directions areas course_no unit_no minutes partial count full_score sections guide rev position',
  testing_paper: 'testing_no rev partial body has_multiple',
  vip_duration: 'no package_no name days price position retired',
  vip_feature: 'no name free position',
  vip_package: 'no title summary intro features unlocks directions areas withdrawn rev position',
}
