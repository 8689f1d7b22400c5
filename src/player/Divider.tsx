import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import classes from './Material.module.css'

/** A tablet or a phone that lies on its side has more room beside than below. Material.module.css and Player.module.css have the same. */
const WIDE = '(min-width: 1024px), (min-width: 768px) and (orientation: landscape)'
/** Percent that a material may have: of the height of a phone, of the width of the page. */
const LEAST = 20
/** On a phone a line of the question stays in sight above the bar at the foot. */
const MOST = { high: 60, wide: 75 }
const STEP = 5
/** With a third of the height, the first options of a sub-question are in sight below it on the smallest phones. */
const ORDINARY = { high: 33, wide: 50 }
type Split = typeof ORDINARY

const within = (side: keyof Split, percent: number): number =>
  Math.round(Math.min(MOST[side], Math.max(LEAST, percent)))

/** Reads how this device likes it, by height and by width. */
function kept(): Split {
  const [high, wide] = (deviceMemory.get(DEVICE_KEYS.split) ?? '').split('/').map(Number)
  return { high: high ? within('high', high) : ORDINARY.high, wide: wide ? within('wide', wide) : ORDINARY.wide }
}

/** Between a material and what is asked of it: it is dragged, or moved by the arrow keys, and stays where it was left. */
export function Divider() {
  const [split, setSplit] = useState(kept)
  const line = useRef<HTMLDivElement>(null)
  const latest = useRef(split)
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const side = isWide ? 'wide' : 'high'
  const value = split[side]
  useLayoutEffect(() => {
    const page = line.current?.closest('article')
    page?.style.setProperty('--high', String(split.high))
    page?.style.setProperty('--wide', String(split.wide))
  }, [split])
  const set = (percent: number) => {
    latest.current = { ...latest.current, [side]: within(side, percent) }
    setSplit(latest.current)
  }
  const keep = () => deviceMemory.set(DEVICE_KEYS.split, `${latest.current.high}/${latest.current.wide}`)
  const drag = (event: PointerEvent) => {
    const page = line.current?.closest('article')?.getBoundingClientRect()
    const above = line.current?.parentElement?.getBoundingClientRect()
    if (!page || !above || !line.current?.hasPointerCapture(event.pointerId)) return
    set(
      isWide
        ? ((event.clientX - page.left) / page.width) * 100
        : ((event.clientY - above.top) / window.innerHeight) * 100,
    )
  }
  const key = (event: KeyboardEvent) => {
    const by = { ArrowUp: -STEP, ArrowLeft: -STEP, ArrowDown: STEP, ArrowRight: STEP }[event.key]
    if (by === undefined) return
    // The same keys lead to another question.
    event.stopPropagation()
    event.preventDefault()
    set(value + by)
  }
  return (
    <div
      ref={line}
      className={classes.divider}
      data-drags
      role="separator"
      aria-label="材料占多大"
      aria-orientation={isWide ? 'vertical' : 'horizontal'}
      aria-valuemin={LEAST}
      aria-valuemax={MOST[side]}
      aria-valuenow={value}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onLostPointerCapture={keep}
      onKeyDown={key}
      onKeyUp={keep}
    />
  )
}
