/**
 * Bytes that the browser would still let us write, as far as it tells; null where it does not. Chromium tells more than the disk
 * has, so enough room here may still be too little: a download that meets the end rests, and says so.
 */
export async function estimatedRoom(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage)
}
