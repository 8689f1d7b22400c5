import type { Pdf } from './engine.ts'
import { type FoldedPage, foldPage } from './find.ts'

/** The words of a document's pages, read one after the other and then remembered. */
export interface Texts {
  /** @param index from 0. */
  of: (index: number) => Promise<FoldedPage>
}

export function textsOf(pdf: Pdf): Texts {
  const known = new Map<number, Promise<FoldedPage>>()
  const read = async (index: number): Promise<FoldedPage> => {
    const page = await pdf.getPage(index + 1)
    const { items } = await page.getTextContent()
    return foldPage(items.map((item) => ('str' in item ? item.str : '')))
  }
  return {
    of(index) {
      const asked = known.get(index)
      if (asked) return asked
      // A page that cannot be read has no words, as a scanned one has none.
      const reading = read(index).catch(() => foldPage([]))
      known.set(index, reading)
      return reading
    },
  }
}
