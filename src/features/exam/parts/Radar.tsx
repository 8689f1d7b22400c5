import classes from '../Report.module.css'

interface Axis {
  name: string
  /** From 0 to 1. */
  mine: number
  /** Null: nobody knows. */
  average: number | null
}
const WIDTH = 320
const HEIGHT = 190
const RADIUS = 64
const [X, Y] = [WIDTH / 2, HEIGHT / 2]
const RINGS = [0.25, 0.5, 0.75, 1]
const NAME_MAX = 7

/** Shares of three or more sections; a table beside it says the same in words. */
export function Radar({ axes }: { axes: readonly Axis[] }) {
  const at = (i: number, share: number): [x: number, y: number] => {
    const angle = (2 * Math.PI * i) / axes.length - Math.PI / 2
    return [X + RADIUS * share * Math.cos(angle), Y + RADIUS * share * Math.sin(angle)]
  }
  const area = (share: (axis: Axis) => number) => axes.map((axis, i) => at(i, share(axis)).map(short).join()).join(' ')
  const averages = axes.every(({ average }) => average !== null)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.radar} aria-hidden="true">
      {RINGS.map((ring) => (
        <polygon key={ring} data-grid points={area(() => ring)} />
      ))}
      {axes.map((_, i) => {
        const [x, y] = at(i, 1)
        // Axes have no identity but their place.
        return <path key={i} data-grid d={`M${X} ${Y}L${short(x)} ${short(y)}`} />
      })}
      <polygon data-mine points={area(({ mine }) => mine)} />
      {averages && <polygon data-average points={area(({ average }) => average ?? 0)} />}
      {axes.map(({ mine }, i) => {
        const [x, y] = at(i, mine)
        return <circle key={i} className={classes.corner} cx={short(x)} cy={short(y)} r="3" />
      })}
      {axes.map(({ name }, i) => {
        const [x, y] = at(i, 1.14)
        return (
          <text key={i} className={classes.axis} x={short(x)} y={short(y + 4)} textAnchor={anchorAt(x)}>
            {name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name}
          </text>
        )
      })}
    </svg>
  )
}

const short = (n: number): number => Math.round(n * 10) / 10
/** Names stand beside the picture, never in it. */
function anchorAt(x: number): 'start' | 'middle' | 'end' {
  if (Math.abs(x - X) < 4) return 'middle'
  return x > X ? 'start' : 'end'
}
