/**
 * Makes a path readable. Chat apps cut links within a code, and what is left is no text: taken letter by letter it is an address
 * that nobody has, which gets our page instead of a router's refusal.
 */
export function readablePath(path: string): string {
  try {
    decodeURIComponent(path)
    return path
  } catch {
    return path.replaceAll('%', '%25')
  }
}
