import type { PushSubscription as Address } from '#src/contract/reminder.ts'

/** Messages that this browser takes while no page is open (Web Push), whoever of its students asked for them. */

/** `none`: it takes none; `denied`: it was told by its user to take none from here. */
export type MessageState = 'none' | 'denied' | 'off' | 'on'

/** Null where there is no worker to take them: in a browser without, in a private window, before the first visit is over. */
async function manager(): Promise<PushManager | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) return null
  return (await navigator.serviceWorker.getRegistration())?.pushManager ?? null
}

export async function messageState(): Promise<MessageState> {
  const push = await manager()
  if (!push) return 'none'
  if (Notification.permission === 'denied') return 'denied'
  return (await push.getSubscription()) ? 'on' : 'off'
}

/**
 * Has the browser ask the student. Call it first after their tap: Safari and Firefox ask only within a moment of one, which a slow network
 * outlasts.
 */
export const allowMessages = async (): Promise<boolean> => (await Notification.requestPermission()) === 'granted'

/** For whoever has allowed messages. @returns null where no worker takes them */
export async function takeMessages(publicKey: string): Promise<Address | null> {
  const push = await manager()
  if (!push) return null
  // It may have been asked for by another key.
  await dropMessages()
  const { endpoint, keys } = (await push.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })).toJSON()
  return { endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' }
}

/** Needs no network: where messages still go to, nobody takes them. */
export async function dropMessages(): Promise<void> {
  await (await (await manager())?.getSubscription())?.unsubscribe()
}
