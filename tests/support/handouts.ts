import { readFileSync } from 'node:fs'
import path from 'node:path'
import { hashedName } from '#server/content/media/mediaFiles.ts'

const COURSES = path.resolve(import.meta.dirname, '../../server/demo/content/course')

function handoutOf(course: string, no: string) {
  const bytes = readFileSync(path.join(COURSES, course, 'handout.pdf'))
  return {
    course: no,
    bytes,
    name: hashedName(bytes, 'pdf'),
    address: `/media/${hashedName(bytes, 'pdf')}`,
    size: bytes.length,
  }
}
/** The handouts of the demo's courses, as they are published. */
export const handouts = {
  math: handoutOf('math0', 'K_math0'),
  physics: handoutOf('science', 'K_science'),
  politics: handoutOf('junzheng', 'K_junzheng'),
}
