import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { contract } from '#src/contract/index.ts'
import { workerReady } from '#tests/e2e/browser.ts'
import { type Poor, type PoorWire, poorWire } from '#tests/support/poorWire.ts'
import { longLesson } from '#tests/support/spoken.ts'
import { ROOT } from './build.ts'
import { atEnd } from './endings.ts'
import { type Figure, median, spread } from './figures.ts'
import { makeFolder, type Product, startProduct } from './product.ts'
import { newPhone } from './visit.ts'

const DEMO = path.join(ROOT, 'server/demo/content/course/junzheng')
const TIMES = 3
const GIVE_UP_MS = 180_000
/** Lines of students: a phone out of doors, Wi-Fi at home, and the dormitory's own. */
const LINES: [name: string, line: Poor][] = [
  ['20 Mbit/s, 80 ms', { bytesPerSecond: 2_500_000, roundTripMs: 80 }],
  ['50 Mbit/s, 20 ms', { bytesPerSecond: 6_250_000, roundTripMs: 20 }],
  ['4 Mbit/s, 300 ms', { bytesPerSecond: 500_000, roundTripMs: 300 }],
]

/** A lesson onto the device, beside what `curl` takes for the same file through the same line. */
export async function download(): Promise<Figure[]> {
  const product = await startProduct()
  const bytes = importCourse(product)
  const wire = await poorWire(Number(new URL(product.url).port))
  atEnd(wire.close)
  const { page } = await newPhone()
  await page.addInitScript(() => localStorage.setItem('jk-chosen', '1'))
  await page.goto(`${wire.url}/course/course_detail/BENCH_C`, { waitUntil: 'domcontentloaded' })
  await workerReady(page)
  // What plays it comes with the first download, once.
  wire.set({})
  await lessonOnto(page)
  const figures: Figure[] = []
  for (const [name, line] of LINES) {
    wire.set(line)
    const ours: number[] = []
    const plain: number[] = []
    let brought = 0
    for (let i = 0; i < TIMES; i++) {
      plain.push(await plainMs(wire))
      await remove(page)
      const before = wire.brought()
      ours.push(await lessonOnto(page))
      brought = wire.brought() - before
    }
    figures.push({
      name: `a lesson of ${(bytes / 1024 ** 2).toFixed(1)} MB, ${name}, beside curl`,
      value: median(ours) / median(plain),
      unit: '×',
      budget: { max: 1.8 },
      note: `${Math.round(median(ours))} ms (${spread(ours)}), curl ${Math.round(median(plain))} ms; on the wire ${(brought / bytes).toFixed(2)} ×`,
    })
  }
  return figures
}

function importCourse(product: Product): number {
  const folder = makeFolder('course')
  const long = longLesson('1.mp3', 26)
  writeFileSync(path.join(folder, 'long.mp3'), long)
  copyFileSync(path.join(DEMO, 'cover.svg'), path.join(folder, 'cover.svg'))
  const lessons = [{ no: 'BENCH_l1', title: '第一讲', media: ['long.mp3'], seconds: 1_400 }]
  const course = {
    format: 'lijian-course/1',
    no: 'BENCH_C',
    title: '测速课程',
    kind: 'audio',
    teacher: '教员',
    cover: 'cover.svg',
    price: 0,
    directions: [],
    areas: [],
    units: [{ no: 'BENCH_u', title: '单元', lessons }],
  }
  writeFileSync(path.join(folder, 'course.json'), JSON.stringify(course))
  execFileSync(process.execPath, ['server/bin/content.ts', 'import', path.join(folder, 'course.json')], {
    cwd: ROOT,
    env: product.env,
    stdio: 'pipe',
  })
  return long.length
}

async function plainMs(wire: PoorWire): Promise<number> {
  const answer = await fetch(`${wire.url}/pcapi/${contract.course.lesson.path}`, {
    method: 'POST',
    body: new URLSearchParams({ no: 'BENCH_l1' }),
  })
  const { data } = (await answer.json()) as { data: { base: string; renditions: { main: string }[] } }
  const { stdout } = await curl(`${wire.url}${data.base}${data.renditions[0]?.main}`)
  return Number(stdout) * 1000
}
const run = promisify(execFile)
const curl = (url: string) => run('curl', ['-s', '-o', '/dev/null', '-w', '%{time_total}', url])

/** From the tap until the page shows that the lesson is whole on the device, by the page's own clock: asking it from outside comes late. */
async function lessonOnto(page: Page): Promise<number> {
  const button = page.getByRole('button', { name: /^下载 第一讲/ })
  await button.waitFor()
  const took = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let tapped = 0
        addEventListener('click', () => (tapped = performance.now()), { capture: true, once: true })
        const look = () => {
          if (document.querySelector('[aria-label="移除已下载的 第一讲"]')) resolve(performance.now() - tapped)
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
  await button.click()
  await page.getByRole('button', { name: '移除已下载的 第一讲' }).waitFor({ timeout: GIVE_UP_MS })
  return took
}

async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: '移除已下载的 第一讲' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '移除', exact: true }).click()
  await page.getByRole('button', { name: /^下载 第一讲/ }).waitFor()
}
