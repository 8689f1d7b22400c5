import { useEffect, useState } from 'react'
import { OfflineError } from '#src/api/errors.ts'
import type { Progress } from '#src/offline/downloads/documents/arriving.ts'
import { dropParts } from '#src/offline/downloads/documents/documentParts.ts'
import { DocumentError, readDocument } from '#src/offline/downloads/documents/documents.ts'
import { download } from '#src/ui/download.ts'
import type { Reader } from './reader/PdfReader.tsx'

export type Opening =
  | { phase: 'loading'; progress: Progress | null; saving?: boolean }
  | { phase: 'failed'; error: unknown }
  | { phase: 'cancelled' }
  | { phase: 'ready'; bytes: Uint8Array<ArrayBuffer>; Reader: typeof Reader }

const BEGIN: Opening = { phase: 'loading', progress: null }

/** The document's bytes and the reader that shows them, fetched side by side. */
export function useOpening(address: string, fileName: string) {
  const [opening, setOpening] = useState<Opening>(BEGIN)
  const [attempt, setAttempt] = useState(() => new AbortController())
  useEffect(() => {
    const { signal } = attempt
    const tell = (next: Opening) => signal.aborted || setOpening(next)
    const bytes = readDocument(address, signal, (progress) => tell({ phase: 'loading', progress }))
    Promise.all([bytes, loadReader()]).then(
      ([bytes, Reader]) => tell({ phase: 'ready', bytes, Reader }),
      (error: unknown) => tell({ phase: 'failed', error }),
    )
    return () => attempt.abort()
  }, [address, attempt])
  const cancel = () => {
    attempt.abort()
    setOpening({ phase: 'cancelled' })
  }
  const again = () => {
    setOpening(BEGIN)
    setAttempt(new AbortController())
  }
  /** For another app: the reader gave the bytes away, so they are read once more. */
  const save = () => {
    const { signal } = attempt
    const before = opening
    const tell = (next: Opening) => signal.aborted || setOpening(next)
    tell({ phase: 'loading', progress: null, saving: true })
    readDocument(address, signal, (progress) => tell({ phase: 'loading', progress, saving: true })).then(
      (bytes) => {
        download(new Blob([bytes], { type: 'application/pdf' }), fileName)
        tell(before)
      },
      (error: unknown) => tell({ phase: 'failed', error }),
    )
  }
  const fail = (error: unknown) => {
    // What is damaged is not gone on from.
    if (error instanceof DocumentError && error.why === 'damaged') void dropParts(address)
    setOpening({ phase: 'failed', error })
  }
  return { opening, cancel, again, save, fail }
}

/** A prevented preload error resolves without a module. */
async function loadReader(): Promise<typeof Reader> {
  const module: { Reader: typeof Reader } | undefined = await import('./reader/PdfReader.tsx').catch(() => undefined)
  if (!module) throw new OfflineError('the reader is not on this device')
  return module.Reader
}
