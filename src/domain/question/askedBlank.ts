import { plainText } from '../text/plainText.ts'

/** 第（7）空应填; or the number alone, as most papers have it. */
const ASKED = /^(?:第\s*)?[（(]?\s*(\d{1,2})\s*[）)]?\s*(?:[空题处]|[.．、]?$)/

/** The number of the blank in its material that a sub-question asks for; '' where it does not say. */
export const askedBlank = (stem: string): string => ASKED.exec(plainText(stem))?.[1] ?? ''

/** Marks a blank of a material, HTML as the bank has it: ____(7)____, or its number underlined. */
export function markBlank(html: string, no: string): string {
  if (!/^\d+$/.test(no)) return html
  const number = String.raw`(?:\s|&nbsp;)*[（(]?${no}[）)]?(?:\s|&nbsp;)*`
  return html.replace(new RegExp(`[_＿]{2,}${number}[_＿]{2,}|<u>${number}</u>`), '<mark>$&</mark>')
}
