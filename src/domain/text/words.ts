/** Whether a text has each of several words, whatever their width and case. */
export function saying(said: string): (text: string) => boolean {
  const words = folded(said).split(/\s+/).filter(Boolean)
  return (text) => words.every((word) => folded(text).includes(word))
}
const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
