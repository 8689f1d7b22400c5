import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
} from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { focusIsNowhere } from '#src/ui/nowhere.ts'
import type { Item } from '../playerState.ts'
import { Heard } from './Heard.tsx'
import { ListeningSettings } from './ListeningSettings.tsx'
import { keepListeningPrefs, listeningPrefs, type ListeningPrefs } from './prefs.ts'
import { NoVoice } from './NoVoice.tsx'
import { useListening } from './useListening.ts'
import { useVoices } from './useVoices.ts'
import classes from './Listening.module.css'

interface ListeningProps {
  items: readonly Item[]
  /** The place of the question that is read first. */
  begin: number
  /** @param at the place of the question that is read now */
  onPlace: (at: number) => void
  onClose: () => void
}

/** 听题: questions, answers and analyses read out by the device's own voice, for hands that are busy. */
export function Listening({ items, begin, onPlace, onClose }: ListeningProps) {
  const [prefs, setPrefs] = useState(listeningPrefs)
  const { voices, look } = useVoices()
  const reading = useListening(items, begin, voices, prefs)
  const { at, status } = reading.place
  const item = items[at]
  const set = (next: ListeningPrefs) => {
    keepListeningPrefs(next)
    setPrefs(next)
  }
  useArrows(at, reading.go)
  useEffect(() => onPlace(at), [at, onPlace])
  if (!item) return null
  return (
    // An answer that stands on the page is not to be seen while one is to think.
    <Dialog title="听题" covers width={720} onClose={onClose}>
      {voices && !voices.zh ? (
        <NoVoice look={look} />
      ) : (
        <div className={classes.page}>
          <p className={clsx(common.between, common.quiet)}>
            <span>
              第 {at + 1} 题 · {TYPE_NAMES[namedType(item.part)]}
            </span>
            <span className={common.figures}>
              {at + 1}/{items.length}
            </span>
          </p>
          <div className={clsx(common.stack, classes.text)}>
            <Heard item={item} isTold={reading.isTold} />
          </div>
          <ListeningSettings prefs={prefs} onChange={set} />
          <div className={clsx(common.stack, classes.bottom)}>
            <p role="status" className={clsx(common.strong, classes.says)}>
              {words(status, reading.isThinking)}
            </p>
            <Keys reading={reading} total={items.length} />
          </div>
        </div>
      )}
    </Dialog>
  )
}

function useArrows(at: number, go: (to: number) => void): void {
  useEffect(() => {
    const follow = ({ key, target }: KeyboardEvent) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1 }[key]
      // Arrows move through the choices of the settings, too.
      if (to !== undefined && !(target instanceof HTMLInputElement)) go(to)
    }
    document.addEventListener('keydown', follow)
    return () => document.removeEventListener('keydown', follow)
  }, [at, go])
}

type Reading = ReturnType<typeof useListening>

function words(status: Reading['place']['status'], isThinking: boolean): string {
  if (status === 'ended') return '本组已听完'
  if (status === 'failed') return '朗读中断，请再按一次播放'
  if (status === 'paused') return '按播放键开始，锁屏后也能继续听'
  return isThinking ? '请先想好答案…' : '正在朗读'
}

/** After 再找一次 has found a voice, its own button is gone. */
const focusIfNowhere = (key: HTMLButtonElement | null): void => {
  if (focusIsNowhere()) key?.focus()
}

/** So large that nobody has to look for them. One that has nothing to do keeps the focus, and says so. */
function Keys({ reading: { place, isTold, play, stop, go, tell }, total }: { reading: Reading; total: number }) {
  const { at, status } = place
  const playing = status === 'playing'
  return (
    <div className={common.stack}>
      <div className={clsx(common.row, classes.keys)}>
        <button type="button" className={classes.key} aria-disabled={at === 0 || undefined} onClick={() => go(at - 1)}>
          <IconPlayerTrackPrevFilled size={28} aria-hidden="true" />
          上一题
        </button>
        <button
          ref={focusIfNowhere}
          type="button"
          data-autofocus
          className={clsx(classes.key, classes.main)}
          aria-keyshortcuts="Space"
          onClick={playing ? stop : play}
        >
          {playing ? (
            <IconPlayerPauseFilled size={36} aria-hidden="true" />
          ) : (
            <IconPlayerPlayFilled size={36} aria-hidden="true" />
          )}
          {playing ? '暂停' : '播放'}
        </button>
        <button
          type="button"
          className={classes.key}
          aria-disabled={at === total - 1 || undefined}
          onClick={() => go(at + 1)}
        >
          <IconPlayerTrackNextFilled size={28} aria-hidden="true" />
          下一题
        </button>
      </div>
      <div className={clsx(common.row, classes.keys)}>
        <button type="button" className={clsx(common.strong, classes.small)} onClick={() => go(at)}>
          再听一遍
        </button>
        <button
          type="button"
          className={clsx(common.strong, classes.small)}
          aria-disabled={isTold || undefined}
          onClick={tell}
        >
          听答案
        </button>
      </div>
    </div>
  )
}
