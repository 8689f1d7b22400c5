import { useMemo } from 'react'
import { modulesOf } from '../qrModules.ts'
import classes from './QrCode.module.css'

/** What a camera needs around it, in modules. */
const QUIET = 4
/** Whole pixels a module: on a plain screen uneven ones are not read. */
const MODULE_PX = 4

/** A QR code; `label` says what comes of scanning it. Dark on white in both themes: not every camera reads it the other way. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => modulesOf(text), [text])
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
