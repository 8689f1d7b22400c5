import { correction, generate } from 'lean-qr/nano'

/** A QR code's dark modules as a path, row by row in runs, one unit a module. */
export function modulesOf(text: string): { size: number; path: string } {
  const code = generate(text, { minCorrectionLevel: correction.M })
  let path = ''
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) {
      const from = x
      while (code.get(x, y)) x++
      if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`
    }
  return { size: code.size, path }
}
