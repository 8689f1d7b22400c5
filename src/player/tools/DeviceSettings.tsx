import { DEVICE_KEYS } from '#src/device/keys.ts'
import { useState } from 'react'
import { Choices } from '#src/ui/Choices.tsx'
import { deviceMemory } from '#src/device/stores.ts'
import { Setting } from '#src/ui/Setting.tsx'
import { buzz, buzzes } from '../buzz.ts'
import { AUTO_NEXT, type AutoNext, type Look, LOOKS, prefs } from './prefs.ts'
import { SchemeChoices } from './SchemeChoices.tsx'
import classes from './Tools.module.css'

const entries = <K extends string>(table: Readonly<Record<K, string>>): { value: K; label: string }[] =>
  (Object.keys(table) as K[]).map((value) => ({ value, label: table[value] }))
/** Computers have the call, and nothing that moves. */
const mayBuzz = (): boolean => 'vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches

/** How this device shows questions; each choice counts at once, and stays on this device. */
export function DisplaySettings() {
  return (
    <>
      <LookChoice of="font" />
      <LookChoice of="lines" />
      <LookChoice of="face" />
      <SchemeChoices />
      <div className={classes.switches}>
        <EyesSetting />
        {mayBuzz() && <BuzzSetting />}
      </div>
    </>
  )
}

function LookChoice({ of }: { of: Exclude<Look, 'eyes'> }) {
  const [value, setValue] = useState(() => prefs.look(of))
  const { title, values } = LOOKS[of]
  const pick = (next: string) => {
    prefs.setLook(of, next)
    setValue(next)
  }
  return <Choices title={title} options={entries<string>({ ...values })} chosen={[value]} onPick={pick} />
}

/** Paper instead of white; it is one of the looks. */
function EyesSetting() {
  const [on, setOn] = useState(() => prefs.look('eyes') === 'on')
  const change = (next: boolean) => {
    prefs.setLook('eyes', next ? 'on' : '')
    setOn(next)
  }
  return <Setting label={LOOKS.eyes.title} hint="浅色外观下，白底换成米黄色" checked={on} onChange={change} />
}

function BuzzSetting() {
  const [on, setOn] = useState(buzzes.on)
  const change = (next: boolean) => {
    buzzes.set(next)
    setOn(next)
    buzz(true)
  }
  return <Setting label="作答时震动" hint="答对震一下，答错震两下" checked={on} onChange={change} />
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
    <Setting
      label="选项乱序"
      hint="解析里的选项字母会跟着变；无法准确对应的题和判断题保持原来的顺序"
      checked={shuffled}
      onChange={onShuffle}
    />
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
