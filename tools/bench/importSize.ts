import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checking, type Took } from './checking.ts'
import type { Figure } from './figures.ts'
import { makeFolder } from './product.ts'

const [FEW, MANY] = [40_000, 400_000]

/** What checking a file takes when it holds ten times as many questions: the memory must not grow with it. */
export async function importSize(): Promise<Figure[]> {
  const folder = makeFolder('size')
  const few = await checking(await bankOf(FEW, folder))
  const many = await checking(await bankOf(MANY, folder))
  const rate = ({ seconds }: Took, questions: number) => questions / seconds
  const note = `${few.peakMb.toFixed(0)} MB with ${FEW.toLocaleString('en')}, ${many.peakMb.toFixed(0)} MB with ${MANY.toLocaleString('en')}`
  return [
    {
      name: 'memory of a bank ten times as large',
      value: many.peakMb / few.peakMb,
      unit: '×',
      budget: { max: 1.5 },
      note,
    },
    { name: 'questions checked a second, ten times as many', value: rate(many, MANY) / rate(few, FEW), unit: '×' },
  ]
}

/** A bank of questions that no two are alike, a quarter of them with formulae, as a file. */
async function bankOf(questions: number, folder: string): Promise<string> {
  const file = path.join(folder, `${questions}.json`)
  await pipeline(Readable.from(piecesOf(questions)), createWriteStream(file))
  return file
}

function* piecesOf(questions: number): Generator<string> {
  const next = randomFrom(7)
  const words = (n: number) => Array.from({ length: n }, () => String.fromCodePoint(0x4e00 + next(3000))).join('')
  const chapters = Array.from({ length: Math.ceil(questions / 1000) }, (_, i) => ({
    no: `c${i}`,
    parent: null,
    title: `第${i + 1}章`,
  }))
  const subject = { no: 'politics', name: '政治' }
  const frame = { format: 'lijian/1', subject, library: { no: 'SIZE', title: '大题库' }, chapters }
  yield `${JSON.stringify(frame).slice(0, -1)},"questions":[`
  for (let i = 0; i < questions; i++) {
    const asked =
      i % 4 === 0 ? `${words(24)}，已知 $x^2=${i}$，求 $\\frac{x}{${next(90) + 1}}$ 的值（　）` : `${words(40)}（　）`
    const options = Array.from({ length: 4 }, () => words(14))
    const question = {
      chapter: `c${i % chapters.length}`,
      type: 'single',
      stem: asked,
      options,
      answer: 'B',
      analysis: words(80),
    }
    yield `${i > 0 ? ',\n' : ''}${JSON.stringify(question)}`
  }
  yield ']}'
}

/** The same numbers in every run. */
function randomFrom(start: number): (below: number) => number {
  let seed = start
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed >>> 8) % below
  }
}
