import { packSettings } from './downloadSettings.ts'

/** It goes on by itself when there is Wi-Fi. */
export class NoWifiError extends Error {
  override readonly name = 'NoWifiError'
}

interface Connection extends EventTarget {
  readonly type?: string
}
const connection = (): Connection | undefined =>
  'connection' in navigator ? (navigator.connection as Connection) : undefined

/** True on mobile data, false on Wi-Fi, null where the browser does not say (iOS). */
export function metered(): boolean | null {
  const type = connection()?.type
  return type === undefined || type === 'unknown' ? null : type === 'cellular' || type === 'wimax'
}

/** A change of the network or a look at the page may mean that it works again. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const sources: [EventTarget | undefined, string][] = [
      [window, 'online'],
      [document, 'visibilitychange'],
      [connection(), 'change'],
      [signal, 'abort'],
    ]
    const over = () => {
      clearTimeout(timer)
      for (const [source, event] of sources) source?.removeEventListener(event, over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    for (const [source, event] of sources) source?.addEventListener(event, over)
  })
}

/**
 * 仅 Wi-Fi: mobile data is used for what the student has said so for.
 * @throws NoWifiError when the network at hand may not be used
 */
export function mayFetch({ anyNetwork }: { anyNetwork: boolean }, isMetered: () => boolean | null): void {
  if (packSettings.wifiOnly() && !anyNetwork && isMetered()) throw new NoWifiError()
}

/**
 * Whether the student is asked before so much is fetched: on mobile data always, and where the browser does not tell, from
 * `limit` on. Not when they have switched 仅 Wi-Fi off.
 */
export const asksFirst = (bytes: number, limit: number, isMetered: () => boolean | null): boolean =>
  packSettings.wifiOnly() && (isMetered() ?? bytes >= limit)
