import { useCallback, useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { v7 as uuidv7 } from 'uuid'
import type { Address } from '#src/contract/address.ts'
import { offline } from '#src/offline/index.ts'

const TYPING_MS = 300
const PREFIX = 'address:'
const draftKey = (id: string | null): string => PREFIX + (id ?? 'new')

/** The form as it is being filled in; '' where nothing is chosen yet. */
const Typed = v.object({
  /** Of a new address: made here, so that it is added once, however often it is sent. */
  id: v.string(),
  name: v.string(),
  mobile: v.string(),
  province: v.string(),
  city: v.string(),
  district: v.string(),
  detail: v.string(),
  isDefault: v.boolean(),
})
export type Typed = v.InferOutput<typeof Typed>

/** As it is before anything is typed. */
const startOf = (saved: Address | null): Typed => ({
  id: saved?.id ?? uuidv7(),
  name: saved?.name ?? '',
  mobile: saved?.mobile ?? '',
  province: saved?.province.code ?? '',
  city: saved?.city.code ?? '',
  district: saved?.district?.code ?? '',
  detail: saved?.detail ?? '',
  isDefault: saved?.isDefault ?? false,
})

interface Draft {
  /** Null: a new one. */
  id: string | null
  typed: Typed
}
/** Who asks what is kept waits for what is being written. */
let written: Promise<unknown> = Promise.resolve()
const write = (work: Promise<unknown>): void => {
  written = Promise.allSettled([written, work])
}

async function readDrafts(): Promise<Draft[]> {
  await written
  const kept = await offline.drafts(PREFIX).catch(() => [])
  return kept.flatMap(({ key, value }) => {
    const typed = v.safeParse(Typed, value)
    const id = key.slice(PREFIX.length)
    return typed.success ? [{ id: id === 'new' ? null : id, typed: typed.output }] : []
  })
}

const dropDraft = (id: string | null): void => write(offline.dropDraft(draftKey(id)).catch(() => {}))

/** What was typed and never saved, also before a reload. */
export function useDrafts() {
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  useEffect(() => {
    let current = true
    void readDrafts().then((all) => current && setDrafts(all))
    return () => {
      current = false
    }
  }, [])
  const drop = (id: string | null): void => {
    dropDraft(id)
    setDrafts(drafts.filter((each) => each.id !== id))
  }
  return { drafts, drop }
}

/** A form that is kept on the device as it is typed, until it is saved or given up. */
export function useDraft(saved: Address | null) {
  const id = saved?.id ?? null
  const [start] = useState(() => startOf(saved))
  const [typed, setTyped] = useState<Typed | null>(null)
  const [restored, setRestored] = useState(false)
  const pending = useRef<Typed | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    if (pending.current) write(offline.saveDraft({ key: draftKey(id), value: pending.current }).catch(() => {}))
    pending.current = null
  }, [id])
  useEffect(() => {
    let current = true
    void readDrafts().then((drafts) => {
      const kept = drafts.find((draft) => draft.id === id)?.typed
      if (!current) return
      setTyped(kept ?? start)
      setRestored(kept !== undefined)
    })
    window.addEventListener('pagehide', flush)
    return () => {
      current = false
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [id, start, flush])
  const change = (patch: Partial<Typed>): void => {
    const next = { ...(pending.current ?? typed ?? start), ...patch }
    pending.current = next
    setTyped(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(flush, TYPING_MS)
  }
  /** It is saved now, or given up. */
  const forget = (): void => {
    clearTimeout(timer.current)
    pending.current = null
    dropDraft(id)
  }
  const clear = (): void => {
    forget()
    // Another id: what the last one was sent under may have arrived.
    setTyped(startOf(saved))
    setRestored(false)
  }
  /** Before it is sent: what is told of an answer that does not come is true then. */
  const keep = async (): Promise<void> => {
    flush()
    await written
  }
  return { typed, restored, change, keep, forget, clear }
}
