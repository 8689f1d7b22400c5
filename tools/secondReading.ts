import { hash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { recordingIn, transcriptOf, written } from './listening/transcript.ts'

/**
 * `npm run reading`: whoever has not seen the keys of the demo's questions answers them again. What they answered is kept beside
 * the banks and holds as long as the question asks the same (docs/content-check.md).
 */
const BANKS = path.resolve(import.meta.dirname, '../server/demo/content')
const READINGS = path.resolve(import.meta.dirname, '../tests/content/readings')

const plain = {
  no: v.optional(v.string()),
  type: v.string(),
  stem: v.string(),
  options: v.optional(v.array(v.string()), []),
  answer: v.optional(v.union([v.string(), v.array(v.string())]), ''),
  analysis: v.optional(v.string(), ''),
  blanks: v.optional(v.array(v.array(v.string())), []),
  unordered: v.optional(v.boolean(), false),
}
const Named = v.object({ ...plain, no: v.string() })
const Item = v.object({ ...Named.entries, parts: v.optional(v.array(v.object(plain))) })
const BankFile = v.object({ questions: v.array(Item) })
const Reading = v.object({
  /** Hash of what was asked. */
  asked: v.string(),
  /** Letters, 对 or 错, a text for each blank; of an essay 'read': its reference was read against the task. */
  answer: v.union([v.string(), v.array(v.string())]),
  /** Where it differs from the key: why the key stands. */
  settled: v.optional(v.string()),
})
type Reading = v.InferOutput<typeof Reading>
export const Readings = v.record(v.string(), Reading)
const Answers = v.record(v.string(), Reading.entries.answer)

/** A question, or a part of one, as it is asked, with its key. */
export interface Asked extends v.InferOutput<typeof Named> {
  material: string
  /** Hash of all that one sees before answering. */
  asked: string
}

export const banks = (): string[] => readdirSync(BANKS).filter((name) => name.endsWith('.json'))

/** All that is answered in a bank of the demo. */
export function askedIn(bank: string): Asked[] {
  const { questions } = v.parse(BankFile, JSON.parse(readFileSync(path.join(BANKS, bank), 'utf8')))
  return questions.flatMap(({ parts, ...question }) => {
    const told = heard(question)
    if (!parts) return [withHash(question, told)]
    const material = told === '' ? question.stem : `${question.stem}\n${told}`
    return parts.map((part, i) => withHash({ ...part, no: part.no ?? `${question.no}_${i + 1}` }, material))
  })
}
/** The words of a recording are material like any other: whoever reads the questions has it before them. */
const heard = ({ stem, analysis }: { stem: string; analysis: string }): string =>
  recordingIn(stem) === null ? '' : written(transcriptOf(analysis))

function withHash(question: v.InferOutput<typeof Named>, material: string): Asked {
  const { type, stem, options } = question
  const asked = hash('sha256', JSON.stringify([material, type, stem, options]), 'base64url').slice(0, 10)
  return { ...question, material, asked }
}

export function readingsOf(bank: string): Record<string, Reading> {
  try {
    return v.parse(Readings, JSON.parse(readFileSync(path.join(READINGS, bank), 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

const squeezed = (text: string): string => text.normalize('NFKC').replace(/[\s$]/g, '')
const lettersOf = (answer: Asked['answer']): string => squeezed([answer].flat().join('')).split('').sort().join('')

/** Whether a reader's answer is the key's. */
export function agrees({ type, answer, blanks, unordered }: Asked, given: Reading['answer']): boolean {
  if (type === 'essay' || type === 'composition') return given === 'read'
  if (type === 'order') return squeezed([given].flat().join('')) === squeezed([answer].flat().join(''))
  if (type !== 'blank') return lettersOf(given) === lettersOf(answer)
  const texts = [given].flat().map(squeezed)
  const accepted = blanks.map((each) => each.map(squeezed))
  if (texts.length !== accepted.length) return false
  return unordered
    ? accepted.every((each) => texts.some((text) => each.includes(text)))
    : accepted.every((each, i) => each.includes(texts[i] ?? ''))
}

/** What nobody has read yet as it is asked now, without its key. */
function sheet(bank: string): string {
  const readings = readingsOf(bank)
  let material = ''
  const lines = askedIn(bank)
    .filter(({ no, asked }) => readings[no]?.asked !== asked)
    .flatMap((each) => {
      const { no, type, stem, options } = each
      const above = each.material !== '' && each.material !== material ? [`【材料】${each.material}`] : []
      material = each.material
      return [...above, `${no} [${type}] ${stem}`, ...options.map((text, i) => `  ${'ABCDEFGHIJ'[i]}. ${text}`), '']
    })
  return lines.join('\n')
}

/** Keeps answers, and says where they differ from the key. */
function record(bank: string, file: string): string {
  const given = v.parse(Answers, JSON.parse(readFileSync(file, 'utf8')))
  const before = readingsOf(bank)
  const after: Record<string, Reading> = {}
  const differing: string[] = []
  for (const each of askedIn(bank)) {
    const { no, asked, answer, blanks } = each
    const same = before[no]?.asked === asked ? before[no] : undefined
    const reading = given[no] === undefined ? same : { asked, answer: given[no] }
    if (!reading) continue
    after[no] = reading
    if (!agrees(each, reading.answer) && !reading.settled)
      differing.push(`${no}: read ${JSON.stringify(reading.answer)}, key ${JSON.stringify(answer || blanks)}`)
  }
  const lines = Object.entries(after).map(([no, reading]) => `  ${JSON.stringify(no)}: ${JSON.stringify(reading)}`)
  writeFileSync(path.join(READINGS, bank), `{\n${lines.join(',\n')}\n}\n`)
  return [`${Object.keys(after).length} readings kept, ${differing.length} differ`, ...differing].join('\n')
}

if (import.meta.main) {
  const [command, bank = '', file = ''] = process.argv.slice(2)
  if (command === 'sheet' && banks().includes(bank)) console.log(sheet(bank))
  else if (command === 'record' && banks().includes(bank) && file) console.log(record(bank, file))
  else {
    console.error('npm run reading -- sheet BANK.json, or record BANK.json ANSWERS.json')
    process.exitCode = 2
  }
}
