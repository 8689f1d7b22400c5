import type { Stroke } from '#src/offline/drafts/player.ts'

const ERASER_PX = 28
/** Closer than this to the last one, a point adds nothing. */
const MIN_PX = 2
/** A palm touches with more than a finger does. */
const PALM_PX = 70

export interface Touching {
  pointerType: string
  button: number
  isPrimary: boolean
  pressure: number
  width: number
}

/** Whether this pointer draws: once a pen was seen, fingers and palms only move the page. */
export function draws({ pointerType, button, isPrimary, width }: Touching, penSeen: boolean): boolean {
  if (pointerType === 'touch') return !penSeen && isPrimary && width < PALM_PX
  return button === 0
}

/** 2 to 5 px; who cannot press has the middle. */
export const widthOf = (kind: Stroke['kind'], { pointerType, pressure }: Touching): number =>
  kind === 'eraser' ? ERASER_PX : pointerType === 'pen' ? Math.round(2 + 3 * pressure) : 3

/** Adds a point to a stroke under way; false when it is too close to matter. */
export function extend(points: number[], x: number, y: number, width: number): boolean {
  const [lastX, lastY] = points.slice(-3)
  if (lastX !== undefined && lastY !== undefined && Math.hypot(x - lastX, y - lastY) < MIN_PX) return false
  points.push(Math.round(x), Math.round(y), width)
  return true
}

/** What is to be seen: nothing from before the last wipe. */
export const visible = (strokes: readonly Stroke[]): readonly Stroke[] =>
  strokes.slice(strokes.map(({ kind }) => kind).lastIndexOf('wipe') + 1)

type Pen = Pick<
  CanvasRenderingContext2D,
  'beginPath' | 'moveTo' | 'quadraticCurveTo' | 'lineTo' | 'stroke' | 'lineWidth' | 'globalCompositeOperation'
>

/** Draws a stroke from its `from`-th number on, through the middles of its points, so that it is round. */
export function paint(pen: Pen, { kind, points }: Stroke, from = 0): void {
  pen.globalCompositeOperation = kind === 'eraser' ? 'destination-out' : 'source-over'
  const at = (i: number) => [points[i] ?? 0, points[i + 1] ?? 0] as const
  for (let i = from; i < points.length; i += 3) {
    const [x, y] = at(i)
    const [px, py] = at(Math.max(0, i - 3))
    const [ox, oy] = at(Math.max(0, i - 6))
    pen.beginPath()
    pen.lineWidth = points[i + 2] ?? 3
    pen.moveTo((ox + px) / 2, (oy + py) / 2)
    pen.quadraticCurveTo(px, py, (px + x) / 2, (py + y) / 2)
    // The last half, or a single point.
    if (i + 3 >= points.length) pen.lineTo(x, y)
    pen.stroke()
  }
}
