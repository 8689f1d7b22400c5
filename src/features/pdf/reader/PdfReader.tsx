import { useEffect, useEffectEvent, useState } from 'react'
import { OfflineError } from '#src/api/errors.ts'
import { type Place, placeIn } from '#src/offline/downloads/documents/documentPlaces.ts'
import { DocumentError, keepDocument } from '#src/offline/downloads/documents/documents.ts'
import { keepUsedParts } from '#src/offline/device/keepLazyAssets.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { readColumn } from './column.ts'
import { openPdf, type Pdf } from './engine.ts'
import { outlineOf } from './links.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { type Texts, textsOf } from './texts.ts'
import { titleOf } from './title.ts'
import { type OpenDocument, Viewer } from './Viewer.tsx'

interface ReaderProps {
  /** They are given away: in memory once, a small phone has no room for two. */
  bytes: Uint8Array<ArrayBuffer>
  address: string
  fileName: string
  owner: string
  onLeave: () => void
  /** It cannot be read, or no password was given, or it is more than a phone can take: then it is closed. */
  onFail: (error: Error) => void
}
const NONE: ReadonlySet<number> = new Set()
interface Question {
  give: (password: string) => void
  wrong: boolean
}

/** Opens a document's bytes, asks for its password if it has one, and shows it. */
export function Reader({ bytes, address, fileName, owner, onLeave, onFail }: ReaderProps) {
  const [open, setOpen] = useState<OpenDocument | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [kept, setKept] = useState(false)
  const [crowded, setCrowded] = useState<ReadonlySet<number>>(NONE)
  const fail = useEffectEvent(onFail)
  useEffect(() => {
    const size = bytes.length
    let gone = false
    const close = (error: Error) => {
      if (gone) return
      gone = true
      fail(error)
    }
    const opening = openPdf(bytes, {
      onPassword: (give, wrong) => setQuestion({ give, wrong }),
      onHeavy: () => close(new DocumentError('heavy')),
      onMissing: () => close(new OfflineError('the worker is not on this device')),
      onCrowded: (page) => setCrowded((known) => new Set([...known, page])),
    })
    const show = async (pdf: Pdf) => {
      setQuestion(null)
      const ready = await look(pdf, fileName, size, await placeIn(owner, address)).catch(() => null)
      if (gone) return
      if (!ready) return close(new DocumentError('damaged'))
      opening.opened()
      setOpen(ready)
      const isKept = await keepDocument(address, new Uint8Array(await pdf.getData()), Date.now())
      await keepUsedParts()
      if (!gone) setKept(isKept)
      await readAhead(ready.texts, pdf.numPages, () => gone)
      await keepUsedParts()
    }
    opening.pdf.then(show, () => close(new DocumentError('damaged'))).catch(() => {})
    return () => {
      gone = true
      opening.close()
    }
  }, [bytes, address, fileName, owner])
  if (open) return <Viewer document={open} {...{ crowded, address, owner, kept, onLeave }} />
  if (!question) return <Skeleton />
  return (
    <PasswordDialog
      wrong={question.wrong}
      onGive={(password) => question.give(password)}
      onClose={() => onFail(new DocumentError('locked'))}
    />
  )
}

async function look(pdf: Pdf, fileName: string, bytes: number, start: Place | null): Promise<OpenDocument> {
  const [page, metadata, outline, column] = await Promise.all([
    pdf.getPage(1),
    pdf.getMetadata().catch(() => null),
    outlineOf(pdf).catch(() => []),
    readColumn(pdf),
  ])
  const { width, height } = page.getViewport({ scale: 1 })
  return {
    pdf,
    texts: textsOf(pdf),
    ...titleOf(metadata?.info, fileName),
    first: { width, height },
    column,
    outline,
    bytes,
    start,
  }
}

const MOST_AHEAD = 400
/**
 * The words of the pages behind the first: so a search answers at once, and the character maps that any of them needs have been
 * fetched while there is a network.
 */
async function readAhead(texts: Texts, count: number, ended: () => boolean): Promise<void> {
  for (let page = 0; page < Math.min(count, MOST_AHEAD) && !ended(); page++) await texts.of(page)
}
