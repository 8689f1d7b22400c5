import classes from './recordings.module.css'

/**
 * Has the worker keep a recording for when there is no network. That it may come from the browser's own cache is what the worker knows
 * such a request by (sw/routes.ts): a pack fetches its recordings without it, and keeps them itself.
 */
export const keepRecording = (source: string): void => void fetch(source, { cache: 'force-cache' }).catch(() => {})

/**
 * Recordings of a text play with the browser's own controls. Each plays from this device where it is on it, because a worker could
 * not answer the requests for ranges that players make.
 * @returns what ends it when the text leaves the page
 */
export function setUpRecordings(box: Element): () => void {
  const ends = [...box.querySelectorAll('audio')].map(setUp)
  return () => {
    for (const end of ends) end()
  }
}

function setUp(audio: HTMLAudioElement): () => void {
  const source = audio.getAttribute('src') ?? ''
  const leaving = new AbortController()
  const { signal } = leaving
  let held = ''
  const playHeld = async (): Promise<void> => {
    const blob = await heldRecording(source)
    // A recording that plays already is left alone.
    if (!blob || held !== '' || signal.aborted || !audio.paused || audio.currentTime > 0) return
    held = URL.createObjectURL(blob)
    audio.src = held
  }
  const trouble = troubleOf(() => {
    void playHeld().then(() => {
      audio.load()
      // A failure is told by the element's own event.
      return audio.play().catch(() => {})
    })
  })
  const onPaper = document.createElement('span')
  onPaper.className = classes.onPaper ?? ''
  onPaper.textContent = '［听力录音，请在应用里播放］'
  audio.after(onPaper)
  audio.addEventListener('error', () => onPaper.after(trouble), { signal })
  audio.addEventListener('playing', () => trouble.remove(), { signal })
  // A recording that was heard to its end is in the browser's own cache by then.
  audio.addEventListener('ended', () => held === '' && keepRecording(source), { signal })
  void playHeld()
  return () => {
    leaving.abort()
    onPaper.remove()
    trouble.remove()
    if (held === '') return
    audio.src = source
    URL.revokeObjectURL(held)
  }
}

const heldRecording = async (source: string): Promise<Blob | undefined> =>
  typeof caches === 'undefined'
    ? undefined
    : caches.match(source).then(
        (kept) => kept?.blob(),
        () => undefined,
      )

function troubleOf(retry: () => void): HTMLElement {
  const box = document.createElement('p')
  box.className = classes.trouble ?? ''
  box.role = 'alert'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = classes.retry ?? ''
  button.textContent = '重试'
  button.addEventListener('click', retry)
  box.append('录音没有加载出来，连上网络后再试。提前下载题库的离线包，没有网络也能听。', button)
  return box
}
