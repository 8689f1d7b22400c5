/** Pictures that students send. Browser and server check the same. */
export const PICTURE_MAX_BYTES = 10 * 1024 * 1024

/** What a file is, by its first 12 bytes; null: none of the pictures that are taken. */
export function pictureType(head: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | null {
  const begins = (bytes: readonly number[], from = 0) => bytes.every((byte, i) => head[from + i] === byte)
  if (begins([0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (begins([0x52, 0x49, 0x46, 0x46]) && begins([0x57, 0x45, 0x42, 0x50], 8)) return 'image/webp'
  return null
}
