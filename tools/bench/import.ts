import { bankJson } from '#tests/support/bank.ts'
import type { Figure } from './figures.ts'
import { startProduct } from './product.ts'

const QUESTIONS = 10_000

/** The operator's import command, its own start included, while the server runs. */
export async function importing(): Promise<Figure[]> {
  const product = await startProduct()
  const bank = bankJson({ prefix: 'IMPORT', chapters: QUESTIONS / 50, perChapter: 50 })
  const time = (): number => {
    const started = performance.now()
    product.importBank(bank)
    return QUESTIONS / ((performance.now() - started) / 1000)
  }
  const first = time()
  const again = time()
  return [
    { name: 'import of 10,000 questions', value: first, unit: '/s', budget: { min: 4500 }, note: 'the whole command' },
    { name: 'the same file again, nothing changed', value: again, unit: '/s' },
  ]
}
