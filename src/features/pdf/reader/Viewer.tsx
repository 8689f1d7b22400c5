import { useRef, useState } from 'react'
import { bytesText } from '#src/domain/text/bytes.ts'
import type { Place } from '#src/offline/downloads/documents/documentPlaces.ts'
import { download } from '#src/ui/download.ts'
import type { Pdf } from './engine.ts'
import { FindBar } from './FindBar.tsx'
import { type Column, percent, type Size, stepped } from './layout.ts'
import type { Entry } from './links.ts'
import { OutlinePanel } from './OutlinePanel.tsx'
import { Pages } from './Pages.tsx'
import classes from './Pdf.module.css'
import type { Texts } from './texts.ts'
import { Controls, Head } from './Toolbar.tsx'
import { type Find, useFind } from './useFind.ts'
import { useDestinations } from './useDestinations.ts'
import { useGestures } from './useGestures.ts'
import { useKeys } from './useKeys.ts'
import { usePlace } from './usePlace.ts'
import { usePaper } from './usePaper.ts'
import { useView } from './useView.ts'

/** A document that is open, and what is known of it before its first page is drawn. */
export interface OpenDocument {
  pdf: Pdf
  texts: Texts
  title: string
  fileName: string
  /** Of the first page; the others are taken to be like it until they are seen. */
  first: Size
  /** Of the first pages; null: all of their width is printed on. */
  column: Column | null
  outline: readonly Entry[]
  bytes: number
  /** Where this student left off. */
  start: Place | null
}
interface ViewerProps {
  document: OpenDocument
  /** Pages that hold too much to be drawn, from 0. */
  crowded: ReadonlySet<number>
  address: string
  owner: string
  /** Whether it opens without a network; null: not known yet. */
  kept: boolean | null
  onLeave: () => void
}

/** Everything of an open document: what is over it, beside it and below it, and its pages. */
export function Viewer({ document: open, crowded, address, owner, kept, onLeave }: ViewerProps) {
  const { pdf } = open
  const box = useRef<HTMLDivElement>(null)
  const view = useView(box, {
    count: pdf.numPages,
    first: open.first,
    column: open.column,
    start: open.start,
    onPlace: usePlace(owner, address),
  })
  const find = useFinding(useFind(open.texts, pdf.numPages, view.page))
  const [contents, setContents] = useState(false)
  const paper = usePaper()
  const zooms = useGestures(box, view)
  const { goTo, follow } = useDestinations(pdf, view)
  const step = (up: boolean) => zooms.to(stepped(view.layout.scale, up))
  const toPage = (page: number) => view.go({ page: Math.max(0, Math.min(page, pdf.numPages - 1)), x: 0, y: 0 })
  useKeys(box, {
    onFind: find.open,
    onStep: step,
    onFit: () => view.zoom(null),
    onPage: (by) => toPage(view.page + by),
    onEnd: (last) => toPage(last ? pdf.numPages - 1 : 0),
    onEscape: () => (find.isOpen ? find.close() : setContents(false)),
  })
  return (
    <div className={classes.reader} data-inverted={paper.inverted || undefined}>
      <Head
        title={open.title}
        about={`${bytesText(open.bytes)}${kept ? ' · 可离线看' : ''}`}
        outline={open.outline.length > 0 ? { open: contents, toggle: () => setContents(!contents) } : null}
        finding={find.isOpen}
        paper={paper}
        onFind={find.isOpen ? find.close : find.open}
        onSave={() => void save(open)}
        onLeave={onLeave}
      />
      {find.isOpen && <FindBar find={find.find} count={pdf.numPages} onClose={find.close} />}
      <div className={classes.middle}>
        {contents && (
          <OutlinePanel
            entries={open.outline}
            onGo={(to) => {
              void goTo(to)
              // On a phone it lies over the page that was asked for.
              if (window.matchMedia('(max-width: 1023px)').matches) setContents(false)
            }}
            onClose={() => setContents(false)}
          />
        )}
        <Pages pdf={pdf} crowded={crowded} box={box} view={view} find={find.find} onLink={follow} />
      </div>
      <Controls
        page={view.page}
        count={pdf.numPages}
        percent={percent(view.layout.scale)}
        fits={view.fits}
        onPage={toPage}
        onStep={step}
        onFit={zooms.toggle}
      />
    </div>
  )
}

/** The search while it is open; closed, nothing is marked. */
function useFinding(find: Find) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    find.search('')
  }
  return { find, isOpen, open: () => setOpen(true), close }
}

async function save({ pdf, fileName }: OpenDocument): Promise<void> {
  const bytes = new Uint8Array(await pdf.getData())
  download(new Blob([bytes], { type: 'application/pdf' }), fileName)
}
