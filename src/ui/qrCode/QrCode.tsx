import { correction, generate } from 'lean-qr/nano'
import { useMemo } from 'react'
import classes from './QrCode.module.css'

/** What a camera needs around it, in modules. */
const QUIET = 4
/** Whole pixels a module: on a plain screen uneven ones are not read. */
const MODULE_PX = 4

/** A QR code; `label` says what comes of scanning it. Dark on white in both themes: not every camera reads it the other way. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text])
  const side = size + 2 * QUIET
  return (
    <svg
      className={classes.qr}
      width={side * MODULE_PX}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill="#fff" d={`M${-QUIET} ${-QUIET}h${side}v${side}h${-side}z`} />
      <path d={path} />
    </svg>
  )
}

/** Each row's runs of dark modules. */
function drawn(text: string): { size: number; path: string } {
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
