import { useCallback, useEffect, useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import type { Address } from '#src/contract/address.ts'
import { type TypedAddress, typedAddress } from '#src/offline/drafts/forms.ts'
import { type DraftKey, readDrafts } from '#src/offline/drafts/kind.ts'
import { offline } from '#src/offline/index.ts'

const TYPING_MS = 300
const NEW = 'new'
const draftKey = (id: string | null): DraftKey<TypedAddress> => typedAddress.key(id ?? NEW)

/** As it is before anything is typed. */
const startOf = (saved: Address | null): TypedAddress => ({
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
  typed: TypedAddress
}
/** Who asks what is kept waits for what is being written. */
let written: Promise<unknown> = Promise.resolve()
const write = (work: Promise<unknown>): void => {
  written = Promise.allSettled([written, work])
}

async function allDrafts(): Promise<Draft[]> {
  await written
  const kept = await readDrafts(offline, typedAddress).catch(() => [])
  return kept.map(({ key, value }) => {
    const id = key.slice(`${typedAddress.prefix}:`.length)
    return { id: id === NEW ? null : id, typed: value }
  })
}

const dropDraft = (id: string | null): void => write(offline.dropDraft(draftKey(id)).catch(() => {}))

/** What was typed and never saved, also before a reload. */
export function useDrafts() {
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  useEffect(() => {
    let current = true
    void allDrafts().then((all) => current && setDrafts(all))
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
  const [typed, setTyped] = useState<TypedAddress | null>(null)
  const [restored, setRestored] = useState(false)
  const pending = useRef<TypedAddress | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    if (pending.current) write(offline.saveDraft({ key: draftKey(id), value: pending.current }).catch(() => {}))
    pending.current = null
  }, [id])
  useEffect(() => {
    let current = true
    void allDrafts().then((drafts) => {
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
  const change = (patch: Partial<TypedAddress>): void => {
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
