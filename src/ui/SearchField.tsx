import { IconSearch } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { InputHTMLAttributes } from 'react'
import common from './common.module.css'
import classes from './SearchField.module.css'

interface SearchFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  'aria-label': string
  onWords: (words: string) => void
}

/** Says what was typed only when it is: never the letters from which an input method makes characters. */
export function SearchField({ onWords, ...rest }: SearchFieldProps) {
  return (
    <label className={clsx(common.row, common.quiet, classes.field)}>
      <IconSearch size={20} aria-hidden="true" />
      <input
        className={clsx(common.grow, classes.input)}
        autoComplete="off"
        enterKeyHint="search"
        {...rest}
        onInput={({ nativeEvent, currentTarget }) => {
          if (!('isComposing' in nativeEvent && nativeEvent.isComposing)) onWords(currentTarget.value)
        }}
        onCompositionEnd={({ currentTarget }) => onWords(currentTarget.value)}
      />
    </label>
  )
}
