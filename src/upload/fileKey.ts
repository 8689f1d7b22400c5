/** The storage takes no longer name (server/bucket/store.ts). */
const NAME_LENGTH = 100
/** 12 signs in hex. */
const HASH_BYTES = 6

/**
 * Where a file lies behind its student's prefix: under its own name (spec §4), in a folder that is called by the hash of its bytes.
 * Another square of the same picture has another address then, so that whoever keeps the first one does not show it.
 */
export async function fileKey(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  const hash = Array.from(digest.subarray(0, HASH_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hash}/${ownName(file.name)}`
}

/** The name as it is, but for what the storage takes in none; the ending of one that is too long stays. */
function ownName(name: string): string {
  const signs = Array.from(name.replace(/[\\/\p{Cc}\p{Bidi_C}]/gu, '_').replace(/^\.{0,2}$/, 'picture'))
  if (signs.length <= NAME_LENGTH) return signs.join('')
  const ending = Array.from(/\.\w{1,5}$/.exec(name)?.[0] ?? '')
  return [...signs.slice(0, NAME_LENGTH - ending.length), ...ending].join('')
}
