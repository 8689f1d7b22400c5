import { clsx } from 'clsx'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { District } from '#src/domain/address/regions.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import classes from './Address.module.css'
import type { Provinces } from './useRegions.ts'

export interface Codes {
  province: string
  city: string
  district: string
}
const LEVELS = ['province', 'city', 'district'] as const
type Level = (typeof LEVELS)[number]
const NAMES: Record<Level, string> = { province: '省份', city: '城市', district: '区县' }

interface RegionSheetProps {
  provinces: Provinces
  codes: Codes
  /** All that there is to choose is chosen. */
  onPick: (codes: Codes) => void
  onClose: () => void
}

/** Province, city, district, one after another; what is the only one is taken without asking. */
export function RegionSheet({ provinces, codes, onPick, onClose }: RegionSheetProps) {
  const [chosen, setChosen] = useState(codes)
  const province = provinces.find(({ code }) => code === chosen.province)
  const city = province?.cities.find(({ code }) => code === chosen.city)
  const options: Record<Level, readonly District[]> = {
    province: provinces,
    city: province?.cities ?? [],
    district: city?.districts ?? [],
  }
  const [level, setLevel] = useState<Level>(
    city?.districts.length ? 'district' : options.city.length > 1 ? 'city' : 'province',
  )
  const pick = (code: string) => {
    const next = nextOf(provinces, chosen, level, code)
    setChosen(next.codes)
    if (next.level) setLevel(next.level)
    else onPick(next.codes)
  }
  return (
    <Dialog title="选择省市区" sheet width={560} onClose={onClose}>
      <div className={clsx(common.wrap, classes.steps)} role="group" aria-label="已选">
        {LEVELS.filter((each) => options[each].length > (each === 'city' ? 1 : 0)).map((each) => (
          <button
            key={each}
            type="button"
            className={classes.step}
            aria-pressed={each === level}
            onClick={() => setLevel(each)}
          >
            {options[each].find(({ code }) => code === chosen[each])?.name ?? `选${NAMES[each]}`}
          </button>
        ))}
      </div>
      <Options
        key={level + chosen.province}
        label={NAMES[level]}
        of={options[level]}
        chosen={chosen[level]}
        onPick={pick}
      />
    </Dialog>
  )
}

/** What is chosen once `code` is, and where to choose next; null: nothing is left to choose. */
function nextOf(
  provinces: Provinces,
  chosen: Codes,
  level: Level,
  code: string,
): { codes: Codes; level: Level | null } {
  if (level === 'district') return { codes: { ...chosen, district: code }, level: null }
  const provinceCode = level === 'province' ? code : chosen.province
  const cities = provinces.find((each) => each.code === provinceCode)?.cities ?? []
  const city =
    level === 'city' ? cities.find((each) => each.code === code) : cities.length === 1 ? cities[0] : undefined
  const codes = { province: provinceCode, city: city?.code ?? '', district: '' }
  return { codes, level: city ? (city.districts.length > 0 ? 'district' : null) : 'city' }
}

interface OptionsProps {
  label: string
  of: readonly District[]
  chosen: string
  onPick: (code: string) => void
}

/** One list: arrows go through it, Enter takes. The focus begins at what is chosen. */
function Options({ label, of, chosen, onPick }: OptionsProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const buttons = list.current?.querySelectorAll('button') ?? []
    const first = [...buttons].find((each) => each.ariaPressed === 'true') ?? buttons[0]
    first?.focus()
  }, [])
  return (
    <ul ref={list} className={classes.options} aria-label={label}>
      {of.map(({ code, name }) => (
        <li key={code}>
          <button
            type="button"
            className={classes.option}
            aria-pressed={code === chosen}
            onKeyDown={walk}
            onClick={() => onPick(code)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
function walk(event: KeyboardEvent<HTMLButtonElement>): void {
  const buttons = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])]
  const at = buttons.indexOf(event.currentTarget)
  const to = event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : at + (STEPS[event.key] ?? Number.NaN)
  const target = buttons[to]
  if (!target) return
  event.preventDefault()
  target.focus()
}
