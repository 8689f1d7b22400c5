/** Told of long work: what is being done, and how much of it, in whatever it is counted. */
export type Progress = (what: string, done: number, all: number) => void
export const noProgress: Progress = () => {}

/** Tells of each part when it is done. */
export function* counted<T>(
  parts: Iterable<readonly T[]>,
  all: number,
  progress: Progress,
  what = '写入',
): Generator<readonly T[]> {
  let done = 0
  for (const part of parts) {
    yield part
    done += part.length
    progress(what, done, all)
  }
}
