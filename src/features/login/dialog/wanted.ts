/**
 * The screen of this app that a path leads to, and nothing else: whoever made a link may not choose where a login ends.
 * @returns path and search; null: there is none, it is another site's, or no address at all
 */
export function screenAt(path: string, origin: string): string | null {
  // A browser takes // and /\ for the name of another host.
  if (!/^\/(?![/\\])/.test(path)) return null
  try {
    const url = new URL(path, origin)
    const screen = url.pathname + url.search
    return url.origin === origin && !screen.startsWith('//') ? screen : null
  } catch {
    return null
  }
}
