/**
 * Answers the lock screen and the keys of a headset. A browser that does not know one of the actions leaves it out.
 * @returns takes the answers away again
 */
export function answerMediaKeys(
  acts: readonly (readonly [MediaSessionAction, MediaSessionActionHandler | null])[],
): () => void {
  if (!('mediaSession' in navigator)) return () => {}
  const handle = (action: MediaSessionAction, act: MediaSessionActionHandler | null) => {
    try {
      navigator.mediaSession.setActionHandler(action, act)
    } catch {
      // A browser that does not know this one.
    }
  }
  for (const [action, act] of acts) handle(action, act)
  return () => {
    for (const [action] of acts) handle(action, null)
  }
}
