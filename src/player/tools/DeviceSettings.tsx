import { clsx } from 'clsx'
import { DEVICE_KEYS } from '#src/device/keys.ts'
import { useState } from 'react'
import common from '#src/ui/common.module.css'
import { Choices } from '#src/ui/Choices.tsx'
import { deviceMemory } from '#src/device/stores.ts'
import { scheme, useScheme } from '#src/ui/scheme.ts'
import { buzz, buzzes } from '../buzz.ts'
import { AUTO_NEXT, type AutoNext, type Look, LOOKS, prefs } from './prefs.ts'
import classes from './Tools.module.css'

const entries = <K extends string>(table: Readonly<Record<K, string>>): { value: K; label: string }[] =>
  (Object.keys(table) as K[]).map((value) => ({ value, label: table[value] }))
const ON_OFF = [
  { value: 'off', label: '关' },
  { value: 'on', label: '开' },
] as const
const SCHEMES = [{ value: 'system', label: '跟随系统' }, ...ON_OFF] as const

/** Computers have the call, and nothing that moves. */
const mayBuzz = (): boolean => 'vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches

/** How this device shows questions; each choice counts at once, and stays on this device. */
export function DisplaySettings() {
  return (
    <>
      <LookChoice of="font" />
      <LookChoice of="lines" />
      <LookChoice of="face" />
      <SchemeChoice />
      <LookChoice of="eyes" />
      {mayBuzz() && <BuzzChoice />}
    </>
  )
}

function LookChoice({ of }: { of: Look }) {
  const [value, setValue] = useState(() => prefs.look(of))
  const { title, values } = LOOKS[of]
  const pick = (next: string) => {
    prefs.setLook(of, next)
    setValue(next)
  }
  return <Choices title={title} options={entries<string>({ ...values })} chosen={[value]} onPick={pick} />
}

function SchemeChoice() {
  useScheme()
  const chosen = scheme.chosen()
  return (
    <Choices
      title="夜间模式"
      options={SCHEMES}
      chosen={[chosen === null ? 'system' : chosen === 'dark' ? 'on' : 'off']}
      onPick={(value) => scheme.set(value === 'system' ? null : value === 'on' ? 'dark' : 'light')}
    />
  )
}

function BuzzChoice() {
  const [on, setOn] = useState(buzzes.on)
  const pick = (value: string) => {
    buzzes.set(value === 'on')
    setOn(value === 'on')
    buzz(true)
  }
  return <Choices title="作答时震动" options={ON_OFF} chosen={[on ? 'on' : 'off']} onPick={pick} />
}

interface AnsweringProps {
  autoNext: AutoNext
  onAutoNext: (value: AutoNext) => void
  shuffled: boolean
  onShuffle: (on: boolean) => void
}

/** How a batch is dealt, and what follows an answer. */
export const AnsweringSettings = ({ autoNext, onAutoNext, shuffled, onShuffle }: AnsweringProps) => (
  <>
    <Choices title="单选、判断作答后自动下一题" options={entries(AUTO_NEXT)} chosen={[autoNext]} onPick={onAutoNext} />
    <Choices
      title="选项乱序"
      options={ON_OFF}
      chosen={[shuffled ? 'on' : 'off']}
      onPick={(value) => onShuffle(value === 'on')}
    />
    <p className={clsx(common.note, classes.note)}>
      解析里的选项字母会跟着变；无法准确对应的题和判断题保持原来的顺序。
    </p>
  </>
)

/** All that this device keeps, where nothing is being studied: how a batch is dealt counts from the next one on. */
export function DeviceSettings() {
  const [autoNext, setAutoNext] = useState(prefs.autoNext)
  const [shuffled, setShuffled] = useState(() => Boolean(deviceMemory.get(DEVICE_KEYS.shuffle)))
  return (
    <>
      <DisplaySettings />
      <AnsweringSettings
        autoNext={autoNext}
        onAutoNext={(value) => {
          prefs.setAutoNext(value)
          setAutoNext(value)
        }}
        shuffled={shuffled}
        onShuffle={(on) => {
          deviceMemory.set(DEVICE_KEYS.shuffle, on ? '1' : '')
          setShuffled(on)
        }}
      />
    </>
  )
}
