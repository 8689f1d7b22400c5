import { takesOne } from '#src/domain/question/choice.ts'
import { useEffect, useState } from 'react'
import { partState } from '../playerState.ts'
import type { AutoNext as When } from './prefs.ts'
import classes from './Tools.module.css'
import type { PlayerHandle } from '../usePlayer.ts'

/** Long enough to see the mark, and to stop it. */
const RIGHT_MS = 1_200
const WRONG_MS = 3_000

interface AutoNextProps {
  player: PlayerHandle
  when: When
  goNext: () => void
}

/** 自动下一题: goes on from an answer that has just been marked by a tap, unless the student touches anything meanwhile. */
export function AutoNext({ player: { state }, when, goNext }: AutoNextProps) {
  const part = state.items[state.at]?.part
  const right = part ? partState(state, part).right : null
  const [before] = useState(right)
  const [stopped, setStopped] = useState(false)
  const due =
    part !== undefined &&
    takesOne(part) &&
    before === null &&
    right !== null &&
    !stopped &&
    (when === 'always' || (when === 'right' && right))
  const wait = right ? RIGHT_MS : WRONG_MS
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(goNext, wait)
    const stop = () => setStopped(true)
    window.addEventListener('pointerdown', stop)
    window.addEventListener('keydown', stop)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointerdown', stop)
      window.removeEventListener('keydown', stop)
    }
  }, [due, goNext, wait])
  if (!due) return null
  return (
    <p className={classes.soon} role="status">
      即将进入下一题，点一下停在这里
      <i className={classes.countdown} aria-hidden="true" style={{ animationDuration: `${wait}ms` }} />
    </p>
  )
}
