import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const FOLDER = path.join(import.meta.dirname, 'content/handouts')

/** A document for students that comes with the demo; `npm run handouts` prints it from the page of the same name. */
interface Handout {
  title: string
  /** The number of the course that it goes with. */
  course: string
  /** Where it is served: its name there is the hash of its bytes, as of every file under /media/. */
  address: string
  /** In bytes. */
  size: number
}
const files = new Map<string, Buffer>()
function handout(name: string, title: string, course: string): Handout {
  const bytes = readFileSync(path.join(FOLDER, `${name}.pdf`))
  const file = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.pdf`
  files.set(file, bytes)
  return { title, course, address: `/media/${file}`, size: bytes.length }
}

/** Opened as `/pdf/${encodeURIComponent(address)}`. */
export const handouts = {
  math: handout('math', '数学高频公式速查', 'K_math0'),
  physics: handout('physics', '物理高频公式速查', 'K_science'),
  politics: handout('politics', '政治高频考点讲义', 'K_junzheng'),
}

export async function placeHandouts(mediaDir: string): Promise<void> {
  await mkdir(mediaDir, { recursive: true })
  for (const [file, bytes] of files) await writeFile(path.join(mediaDir, file), bytes)
}
