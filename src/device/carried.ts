/**
 * What only this page's memory holds is carried over the app's own reloads in the state of the history entry. Unlike
 * `window.name`, no other site can read that or write it.
 */

/** Names and values of what is remembered, by the kind of storage that does not take it. */
export type Carried = Record<string, Record<string, string>>

/** Also read by index.html, which knows the looks before the first paint. */
const MARK = 'jkCarried'
/** Longer values are copies of what can be fetched again. */
const MAX_CHARS = 50_000

/** What the page before this one left here. It is taken out at once, so that it is not kept in the history. */
function take(): Carried {
  if (typeof window === 'undefined') return {}
  const { [MARK]: carried, ...own } = window.history.state ?? {}
  if (!carried) return {}
  // The router puts its own function in the place of the browser's, and would take this for a navigation.
  History.prototype.replaceState.call(window.history, Object.keys(own).length > 0 ? own : null, '')
  return carried
}
const taken = take()
export const carriedOf = (kind: string): Record<string, string> => taken[kind] ?? {}

/** Leaves it to the page that takes this one's place, which must be loaded next. @param path of another screen than this one */
export function leaveCarried(carried: Carried, path?: string): void {
  const short = Object.entries(carried).map(([kind, values]) => [
    kind,
    Object.fromEntries(Object.entries(values).filter(([, value]) => value.length <= MAX_CHARS)),
  ])
  const own = path === undefined ? window.history.state : null
  History.prototype.replaceState.call(window.history, { ...own, [MARK]: Object.fromEntries(short) }, '', path)
}
