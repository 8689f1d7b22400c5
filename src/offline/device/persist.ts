/** Asks the browser not to evict our storage. False is normal outside an installed app. */
export async function persist(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false
}
