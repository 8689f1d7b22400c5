import { readFileSync } from 'node:fs'
import path from 'node:path'

const DEMO = path.resolve(import.meta.dirname, '../../server/demo/content/course/junzheng')

/** A spoken lesson of the demo again and again: its frames are one long lesson, once none of them says how many there are. */
export function longLesson(name: string, times: number): Buffer {
  const frames = readFileSync(path.join(DEMO, name))
  for (const mark of ['Xing', 'Info'])
    if (frames.includes(mark)) frames.fill(0, frames.indexOf(mark), frames.indexOf(mark) + 4)
  return Buffer.concat(Array.from({ length: times }, () => frames))
}
