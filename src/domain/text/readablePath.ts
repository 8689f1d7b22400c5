/**
 * Makes a path readable. Chat apps cut links within a code, and what is left is no text: taken letter by letter it is an address
 * that nobody has, which gets our page instead of a router's refusal.
 */
export function readablePath(path: string): string {
  try {
    // The bundler takes this call for one without effect, and leaves it out where nobody reads its result.
    return decodeURIComponent(path) && path
  } catch {
    return path.replaceAll('%', '%25')
  }
}
