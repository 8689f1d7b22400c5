/**
 * All names under which the browser keeps small values. `deviceMemory` and `tabMemory` take these alone, so a name that nobody
 * declared does not compile. A name is the format on the device: it never changes, whatever its constant is called.
 */
declare const kept: unique symbol
/** A name in localStorage. */
export type DeviceKey = string & { readonly [kept]: 'device' }
/** A name in sessionStorage. */
export type TabKey = string & { readonly [kept]: 'tab' }

const device = (name: string) => name as DeviceKey
const tab = (name: string) => name as TabKey
const ofOwner = (name: string) => (owner: string) => device(`${name}:${owner}`)

/** Names that belong to the device, whoever studies on it. Closing an account leaves them. */
export const DEVICE_KEYS = {
  /**
   * It says who is logged in, by the name and in the form that the specification demands (§3). app/early.ts and
   * session/showView.ts read it, too.
   */
  session: device('user'),
  /** The view that the next start shows before the app is there (session/lastView.ts writes it, session/showView.ts shows it). */
  lastView: device('jk-view'),
  /** Answers that the first paint needs (offline/device/cache.ts). */
  boot: device('jk-boot'),
  /** The account was ended elsewhere, and its student has not been told. */
  accountEnded: device('jk-ended'),
  /** Region and direction have been chosen once. */
  scopeChosen: device('jk-chosen'),
  banner: device('jk-banner'),
  newsSeen: device('jk-news-seen'),
  newsFetched: device('jk-news-ahead'),
  noticeDismissed: device('jk-notice-dismissed'),
  installed: device('jk-installed'),
  installLater: device('jk-install-later'),

  /** These six are also read by index.html before the first paint. */
  scheme: device('jk-scheme'),
  /** From when to when it is dark where that goes by the clock, as '21:30-06:30'. */
  night: device('jk-night'),
  font: device('jk-font'),
  lines: device('jk-lines'),
  face: device('jk-face'),
  eyes: device('jk-eyes'),

  /** Percent of the height and of the width that a material takes. */
  split: device('jk-split'),
  autoNext: device('jk-auto-next'),
  buzz: device('jk-buzz'),
  /** How 听题 reads (player/listening/prefs.ts). */
  listening: device('jk-listening'),
  playerHintKnown: device('jk-hint-player'),
  /** '1' while options are to be shuffled. */
  shuffle: device('jk-shuffle'),
  /** The set-up of batches as it was last chosen (features/question/setup.ts); '' or none is the ordinary one. */
  batchSetup: device('jk-setup'),
  sittingMode: device('jk-set-mode'),

  speed: device('jk-speed'),
  goOnWithNextLesson: device('jk-next-lesson'),
  subtitles: device('jk-subtitles'),
  lessonKeys: device('jk-lesson-keys'),
  lessonQuestions: device('jk-lesson-questions'),
  quality: device('jk-quality'),
  notePauses: device('jk-note-pauses'),
  darkPaper: device('jk-pdf-paper'),

  /** It is the device's, since whoever uses this phone pays for its data. */
  wifiOnly: device('jk-wifi-only'),
  saver: device('jk-saver'),
  /** It holds a quality and a height, as 'standard:540', for lessons that come in several. */
  downloadQuality: device('jk-download-quality'),
  /** A pack is on this device (offline/downloads/packs/pack.ts). */
  packs: device('jk-packs'),
  /** 下载全部 was offered after a batch. */
  allOffered: device('jk-all-offered'),

  /** The server's clock is ahead of this device's by so much, ms. */
  skew: device('jk-skew'),
  /** The highest time that this device has seen, epoch ms. */
  highestTime: device('jk-seen'),
  /** A new log must be begun (offline/device/tornLog.ts). */
  torn: device('jk-torn'),
  /** A page has let the service worker write (offline/device/workerWrites.ts). */
  workerWrites: device('worker-writes-v1'),
} as const

/** The speed that was chosen last in this course. */
export const courseSpeedKey = (courseNo: string): DeviceKey => device(`${DEVICE_KEYS.speed}:${courseNo}`)

/** Names that belong to one owner. `forgetOwner` finds them by their ending and deletes them (offline/record/forget.ts). */
export const OWNER_KEYS = {
  /** The chapter that was studied last, as `no/count/title`. */
  lastChapter: ofOwner('jk-last'),
  /** The subject that was chosen in 题库, and the chapter that was studied last by then (features/question/subject.ts). */
  subject: ofOwner('jk-subject'),
  /** The lesson to go on with (domain/course/goOn.ts). */
  lastLesson: ofOwner('jk-lesson'),
  /** It holds the part of a lesson that a page which ended could not write down any more. */
  lastWatched: ofOwner('jk-watched'),
  /** So many ops wait (offline/device/evicted.ts). */
  waiting: ofOwner('jk-waiting'),
  /** So many of them were cleared, and the student has not been told. */
  lost: ofOwner('jk-lost'),
  /** The visitor's record is to stay on this device. */
  visitorLeft: ofOwner('jk-visitor-left'),
} as const
/** The draft of an order belongs to its owner, too. @param products without their numbers */
export const orderKey = (products: string, owner: string): DeviceKey => ofOwner(`jk-order:${products}`)(owner)
export const isOwners = (key: string, owner: string): boolean => key.endsWith(`:${owner}`)

export const TAB_KEYS = {
  /** It says where each list was left (ui/list/entry.ts). */
  entries: tab('jk-entries'),
  courses: tab('jk-courses'),
  unkeptRead: tab('jk-unkept-read'),
  /** When a missing file of the app last loaded it anew, epoch ms. */
  chunkReload: tab('jk-chunk-reload'),
  smsUntil: tab('jk-sms-until'),
} as const
/** @param of tells two codes on one screen apart */
export const smsUntilKey = (of: string): TabKey => tab(`${TAB_KEYS.smsUntil}${of}`)
