/** Bytes as a phone's settings show them. */
export function bytesText(bytes: number): string {
  if (bytes < 100 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`
  const mb = bytes / 1024 ** 2
  if (mb >= 1000) return `${(mb / 1024).toFixed(1)} GB`
  return `${mb < 100 ? mb.toFixed(1) : Math.round(mb)} MB`
}
