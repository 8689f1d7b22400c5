import { useEffect, useState } from 'react'
import { offline } from './index.ts'

export interface Known<T> {
  /** Null until it is first read. */
  data: T | null
  /** The device could not read it; what was read before stays. */
  failed: boolean
}

/**
 * Something of the record, read again when a part of it changes. `read` and `touches` must stay the same functions; `touches`
 * is asked with a question's number or a thing's kind.
 */
export function useRecord<T>(read: () => Promise<T>, touches: (changed: string) => boolean = always): Known<T> {
  const [known, setKnown] = useState<Known<T> & { by: typeof read | null }>({ data: null, failed: false, by: null })
  useEffect(() => {
    let latest = 0
    const load = () => {
      const mine = ++latest
      const show = (next: (old: Known<T>) => Known<T>) => {
        if (mine === latest) setKnown((old) => ({ ...next(old), by: read }))
      }
      read().then(
        (data) => show(() => ({ data, failed: false })),
        () => show(({ data }) => ({ data, failed: true })),
      )
    }
    load()
    const stop = offline.onChange((changed) => {
      if (changed === null || changed.some(touches)) load()
    })
    return () => {
      latest = -1
      stop()
    }
  }, [read, touches])
  // What another `read` has found is not this one's.
  return known.by === read ? known : { data: null, failed: false }
}

const always = (): boolean => true
