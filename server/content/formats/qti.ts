import path from 'node:path'
import { type Draft, FileFault, type Finding } from '#server/content/draft.ts'
import { NotHeld } from './notHeld.ts'
import { type Item12, isItem12, item12 } from './qti12.ts'
import { item2 } from './qti2.ts'
import { eachElement } from './xml.ts'

export interface Questions {
  drafts: Draft[]
  findings: Finding[]
}
interface Place {
  /** The package's file that is read: 第…行 alone would not say of which. */
  name: string
  chapter?: string | undefined
}

const ITEM = /^(?:\w+:)?(?:qti-assessment-item|assessmentItem)$/

/** Items of QTI 1.2, 2.1, 2.2 or 3.0, alone or several in one file: www.imsglobal.org/question. @throws FileFault */
export function readQti(source: string, file: string, { name, chapter }: Place = { name: '' }): Questions {
  const drafts: Draft[] = []
  const findings: Finding[] = []
  const texts = new Map<string, Draft>()
  let items = 0
  const is12 = isItem12(source)
  eachElement(source, is12 ? /^item$/ : ITEM, (item, line) => {
    items++
    const at = `${name === '' ? '' : `${name} `}第${line}行`
    const report = (level: Finding['level'], reason: string) => findings.push({ file, at, level, reason })
    const warn = (reason: string) => report('warning', reason)
    try {
      if (is12) belongs(item12(item, warn), { at, chapter, drafts, texts })
      else drafts.push({ ...item2(item, { warn, folder: path.posix.dirname(name) }), at, chapter })
    } catch (error) {
      if (!(error instanceof NotHeld)) throw error
      report('fault', error.message)
    }
  })
  if (items === 0) throw new FileFault('文件里没有 QTI 题目')
  return { drafts, findings }
}

interface Shelf {
  at: string
  chapter: string | undefined
  drafts: Draft[]
  /** Texts that questions belong to. */
  texts: Map<string, Draft>
}
/** Questions on one text become its 小题, where they can be. */
function belongs({ draft, ident, parent, text }: Item12, { at, chapter, drafts, texts }: Shelf): void {
  if (!draft) {
    texts.set(ident, { at, chapter, stem: text, type: 'composite', parts: [] })
    return
  }
  const of = texts.get(parent)
  if (!of || draft.type === 'composite') {
    drafts.push({ ...draft, at, chapter, stem: [of?.stem, draft.stem].filter(Boolean).join('\n') })
    return
  }
  if (of.parts?.length === 0) drafts.push(of)
  of.parts?.push(draft)
}
