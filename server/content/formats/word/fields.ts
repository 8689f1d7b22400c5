/** A field of Word: a code, and the result that it showed when it was saved. */
interface Field {
  code: string
  isResult: boolean
  hasResult: boolean
  /** A box of a form holds this. */
  box: string | undefined
}

/** Codes that show nothing of their own. */
const SILENT =
  /^\s*(?:$|HYPERLINK|PAGE|NUMPAGES|SECTION|TOC|TC|XE|RD|TA|SET|ASK|PRIVATE|ADDIN|BIBLIOGRAPHY|FORMTEXT|MACROBUTTON\s+MT|GOTOBUTTON|PAGEREF|REF\b)/i
const CIRCLED = /^\s*EQ\s*\\o\s*\\ac\s*\(\s*[○〇◯]\s*[,，;；]\s*(\d{1,2})\s*\)\s*$/i

/** Follows the fields of a document, which may stand in each other and go over paragraphs. */
export class Fields {
  private readonly open: Field[] = []

  begin(box?: string): void {
    this.open.push({ code: '', isResult: false, hasResult: false, box })
  }
  code(text: string): void {
    const field = this.open.at(-1)
    if (field && !field.isResult) field.code += text
  }
  separate(): void {
    const field = this.open.at(-1)
    if (field) field.isResult = true
  }
  /** True while what comes is part of a code, which nobody sees. */
  get isCode(): boolean {
    return this.open.some(({ isResult }) => !isResult)
  }
  /** Something was shown. */
  shown(): void {
    for (const field of this.open) field.hasResult = true
  }
  /** @returns what the field shows where it has no result of its own; a problem where nobody knows that */
  end(): { text: string } | { problem: string } {
    const field = this.open.pop()
    if (!field || this.isCode) return { text: '' }
    return fieldShown(field.code, field.hasResult, field.box)
  }
  /** A code never goes over the end of its paragraph: one that seems to has lost its end, and would swallow all that follows. */
  endParagraph(): string | null {
    if (!this.isCode) return null
    const [broken] = this.open
    this.open.length = 0
    return `域代码“${(broken?.code ?? '').trim().slice(0, 20)}”没有结束，其中的文字读不出：请在 Word 里删去这个域`
  }
}

/** Reads what a field shows. @param box the sign of a form's box */
export function fieldShown(code: string, hasResult: boolean, box?: string): { text: string } | { problem: string } {
  if (box !== undefined) return { text: box }
  const number = Number(CIRCLED.exec(code)?.[1])
  if (number >= 1 && number <= 20) return { text: String.fromCodePoint(0x24_5f + number) }
  if (hasResult || SILENT.test(code)) return { text: '' }
  const shown = code.trim().slice(0, 20)
  return {
    problem: /^\s*EQ\b/i.test(code)
      ? `EQ 域写的公式“${shown}”读不出：请改用“插入 → 公式”`
      : `域“${shown}”没有结果，读不出：请在 Word 里按 F9 更新，再按 Ctrl+Shift+F9 转为文字`,
  }
}
