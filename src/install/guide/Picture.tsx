import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from '#src/ui/common.module.css'
import classes from './Install.module.css'
import type { Scene } from './steps.ts'

/** A step drawn: the phone in lines, what to press in colour. Its sentence stands beside it. */
export function Picture({ scene }: { scene: Scene }) {
  return (
    <svg
      viewBox="0 0 96 120"
      width="96"
      height="120"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect className={classes.case} x="2" y="2" width="92" height="116" rx="10" />
      {'bar' in scene && <Bar {...scene} />}
      {'entry' in scene && <Entry name={scene.entry} />}
      {'icon' in scene && <Home />}
    </svg>
  )
}

type BarScene = Extract<Scene, { bar: string }>

function Bar({ bar, at, sign }: BarScene) {
  const y = bar === 'top' ? 18 : 102
  const x = at === 'middle' ? 48 : 80
  return (
    <>
      <path className={classes.line} d={bar === 'top' ? 'M2 34H94' : 'M2 86H94'} />
      <rect className={classes.fill} x="12" y={y - 5} width={at === 'middle' ? 20 : 50} height="10" rx="5" />
      {[0, 1, 2].map((row) => (
        <rect
          key={row}
          className={classes.fill}
          x="12"
          y={(bar === 'top' ? 48 : 20) + row * 18}
          width={72 - row * 14}
          height="8"
          rx="4"
        />
      ))}
      <circle className={classes.spot} cx={x} cy={y} r="13" />
      <g className={classes.sign} transform={`translate(${x - 8} ${y - 8})`}>
        {SIGNS[sign]}
      </g>
    </>
  )
}

/** In a field of 16 by 16. */
const SIGNS: Record<BarScene['sign'], ReactNode> = {
  share: <path d="M5 7H3v7h10V7h-2M8 10V2M5 4.5 8 1.5l3 3" />,
  more: <path d="M8 3v.01M8 8v.01M8 13v.01" strokeWidth="3" />,
  menu: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  install: <path d="M8 2v7M5 6.5 8 9.5l3-3M3 13h10" />,
}

function Entry({ name }: { name: string }) {
  return (
    <>
      <rect className={classes.fill} x="12" y="14" width="48" height="8" rx="4" />
      <rect className={classes.fill} x="12" y="32" width="60" height="8" rx="4" />
      <rect className={classes.spot} x="6" y="50" width="84" height="24" rx="7" />
      <text className={clsx(common.strong, classes.entry)} x="48" y="66" textAnchor="middle">
        {name}
      </text>
      <rect className={classes.fill} x="12" y="84" width="52" height="8" rx="4" />
      <rect className={classes.fill} x="12" y="100" width="40" height="8" rx="4" />
    </>
  )
}

function Home() {
  const places = [16, 40, 64].flatMap((y, row) =>
    [14, 40, 66].map((x, column) => ({ x, y, own: row === 1 && column === 1 })),
  )
  return places.map(({ x, y, own }) =>
    own ? (
      <g key={`${x} ${y}`}>
        <circle className={classes.spot} cx={x + 8} cy={y + 8} r="15" />
        <image href="/icon.svg" x={x - 1} y={y - 1} width="18" height="18" />
      </g>
    ) : (
      <rect key={`${x} ${y}`} className={classes.fill} x={x} y={y} width="16" height="16" rx="5" />
    ),
  )
}
