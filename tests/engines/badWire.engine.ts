import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { handouts } from '#tests/support/handouts.ts'
import { type PoorWire, poorWire } from '#tests/support/poorWire.ts'
import { longLesson } from '#tests/support/spoken.ts'
import { call, isDrawn, isHere, until } from './engine.ts'
import { firefox } from './firefox.ts'
import { setEngine } from './stage.ts'
import { webkit } from './webkit.ts'

const DAY_MS = 86_400_000
const DEMO = path.resolve(import.meta.dirname, '../../server/demo/content/course')
const stage = setEngine()
const { begin, open, says, press, workerReady } = stage

let wire: PoorWire
beforeEach(async () => {
  wire = await poorWire(stage.product.port)
})
afterEach(() => wire.close())

/** A free course of one lesson, published or corrected. */
function importLesson(bytes: Buffer, seconds: number): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-course-'))
  copyFileSync(path.join(DEMO, 'junzheng/cover.svg'), path.join(folder, 'cover.svg'))
  writeFileSync(path.join(folder, 'a.mp3'), bytes)
  const course = {
    format: 'lijian-course/1',
    no: 'WIRE',
    title: '断线课程',
    kind: 'audio',
    teacher: '教员',
    cover: 'cover.svg',
    directions: [],
    areas: [],
    units: [{ no: 'WIRE_u', title: '单元', lessons: [{ no: 'WIRE_l', title: '动能', media: ['a.mp3'], seconds }] }],
  }
  const file = path.join(folder, 'course.json')
  writeFileSync(file, JSON.stringify(course))
  stage.product.importFile(file)
}

describe.each([
  ['WebKit', webkit],
  ['Firefox', firefox],
])('%s, over a line that breaks every 300 KB,', (_, launch) => {
  test('brings a lesson and a handout whole for little more than they weigh, and is offered the lesson that was corrected', async () => {
    const first = longLesson('2.mp3', 22)
    importLesson(first, 1_100)
    const uid = await begin(launch, wire.url)
    for (const { course } of Object.values(handouts))
      await stage.product.sql(`insert into entitlement (uid, kind, no, until) values ($1, 'course', $2, $3)`, [
        uid,
        course,
        Date.now() + DAY_MS,
      ])
    await open('/course/course_detail/WIRE')
    await workerReady()
    // The reader comes before the line gets bad: it is what it opens that is brought in pieces.
    await open(`/pdf/${encodeURIComponent(handouts.math.address)}`)
    await says('可离线看')
    await open('/course/course_detail/WIRE')
    wire.set({ cutAfter: 300_000 })
    const before = wire.brought()
    await press('下载 动能')
    await until('the lesson is here', () => call(stage.engine, isHere, '移除已下载的 动能'), Boolean)
    expect(wire.cuts()).toBeGreaterThan(first.length / 300_000 - 2)
    expect(wire.brought() - before).toBeLessThan(1.4 * first.length)

    wire.set({ cutAfter: 60_000 })
    await open(`/pdf/${encodeURIComponent(handouts.politics.address)}`)
    await until('the first page is drawn', () => call(stage.engine, isDrawn), Boolean)

    wire.set({})
    importLesson(longLesson('4.mp3', 22), 1_060)
    await open('/course/course_detail/WIRE')
    await press('更新')
    await until('the new one is here', () => call(stage.engine, isHere, '移除已下载的 动能'), Boolean)
  })
})
