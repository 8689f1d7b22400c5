import { call } from '#src/api/client.ts'
import { reminder } from '#src/contract/reminder.ts'
import type { OpPayload, Thing } from '#src/contract/study.ts'
import { isAway, wordsOf } from '#src/domain/app/failureWords.ts'
import type { ReminderSettings } from '#src/domain/study/reminder.ts'
import { dailyIcsOf } from '#src/domain/time/ics.ts'
import { dayOf } from '#src/domain/time/day.ts'
import {
  allowMessages,
  dropMessages,
  type MessageState,
  messageState,
  takeMessages,
} from '#src/offline/device/messages.ts'
import { offline } from '#src/offline/index.ts'
import { download } from '#src/ui/download.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

type Stored = ReadonlyMap<string, Pick<Thing<'setting'>, 'value'>>
/**
 * Keeps on this device at once what differs, which goes to the others with the rest of the record.
 * @param stored the settings that the student has seen: what another device sets meanwhile is not theirs to overwrite
 */
export async function saveReminder({ at, quiet }: ReminderSettings, stored: Stored): Promise<void> {
  const all: Extract<OpPayload<'setting'>, { name: 'reminderAt' | 'reminderQuiet' }>[] = [
    { name: 'reminderAt', value: at },
    { name: 'reminderQuiet', value: `${quiet.from}-${quiet.to}` },
  ]
  const changed = all.filter(({ name, value }) => stored.get(name)?.value !== value)
  await offline.addAll(changed.map((payload) => ({ kind: 'setting', payload })))
}

/** Gives the student a file for the calendar of their phone, which reminds them until the day before the exam. */
export function saveToCalendar(time: string, examDay: number | null, now: number): void {
  const [today, name] = [dayOf(now), '每日提醒']
  const event = {
    // A calendar that has it already moves it to the new time.
    uid: `daily-reminder@${window.location.hostname}`,
    title: '今天的学习任务',
    note: `花几分钟完成今天的学习任务：${window.location.origin}/`,
    time,
    from: today,
    until: examDay !== null && examDay > today ? examDay - 1 : null,
  }
  download(new Blob([dailyIcsOf(event, name, now)], { type: 'text/calendar;charset=utf-8' }), `${name}.ics`)
}

const CONSENT =
  '开启后，服务器会保存这个浏览器的推送地址，并通过浏览器厂商的推送服务发送提醒，每天最多一次。Chrome、Edge、Firefox、Safari 的推送服务器在境外，推送地址和发送时间会传到境外；提醒是一句固定的话，不含你的姓名、手机号和学习情况。随时可以关闭，退出登录或注销账号时推送地址一并删除。'

/** Tells what this browser does, and whether the server knows of it, where it can be asked. */
export async function readState(): Promise<MessageState> {
  const state = await messageState()
  if (state !== 'on') return state
  // Another student may have left it behind, or their session has run out.
  const known = await call(reminder.state, {}).then(
    ({ devices }) => devices.some(({ current }) => current),
    () => true,
  )
  return known ? 'on' : 'off'
}

/**
 * Asks first, in plain words. Says what stood in the way.
 * @param save keeps the time, which goes to the server with the rest of the record; false: it could not be kept
 */
export async function turnOn(save: () => Promise<boolean>): Promise<void> {
  const choice = await feedback.ask({
    title: '开启推送提醒',
    message: CONSENT,
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'agree', label: '同意并开启', tone: 'primary' },
    ],
  })
  if (choice !== 'agree') return
  try {
    const allowed = await allowMessages()
    if (!allowed) return feedback.toast('浏览器没有允许通知，没有开启')
    if (!(await save())) return
    const { publicKey } = await call(reminder.state, {})
    const address = await takeMessages(publicKey).catch((): Unreachable => 'unreachable')
    // Some networks do not let the browser's maker be reached.
    if (address === 'unreachable') return feedback.toast('连接不上浏览器的推送服务，请改用日历提醒')
    if (!address) return feedback.toast('这个浏览器收不到推送，没有开启')
    await call(reminder.subscribe, address)
    feedback.toast('已开启推送提醒')
  } catch (error) {
    await dropMessages().catch(() => {})
    feedback.toast(failedWords(error))
  }
}

type Unreachable = 'unreachable'
const failedWords = (error: unknown): string => (isAway(error) ? '开启推送需要联网，请联网后再试' : wordsOf(error))

export async function turnOff(): Promise<void> {
  try {
    await dropMessages()
    // The next message that nobody takes tells the server as well.
    await call(reminder.unsubscribe, {}).catch(() => {})
    feedback.toast('已关闭推送提醒')
  } catch (error) {
    feedback.toast(wordsOf(error))
  }
}
