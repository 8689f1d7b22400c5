import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { keepInSight } from '#src/ui/sight.ts'
import type { Pdf, PdfPage } from './engine.ts'
import type { Match } from './find.ts'
import type { Size } from './layout.ts'
import { type Link, linksOf } from './links.ts'
import { clear, layWords, paint, type WordsLayer } from './paint.ts'
import classes from './Pdf.module.css'

interface PageViewProps {
  pdf: Pdf
  /** From 0. */
  index: number
  /** It holds too much to be drawn. */
  crowded: boolean
  /** CSS px per point. */
  scale: number
  top: number
  size: Size
  matches: readonly Match[]
  /** Of these, the one that is looked at. */
  active: Match | null
  onSize: (index: number, size: Size) => void
  onLink: (to: Link['to']) => void
}
/** Drawn anew only when the scale has come to rest; until then the picture is stretched. */
const REST_MS = 180

export const PageView = memo(function PageView(props: PageViewProps) {
  const { pdf, index, crowded, scale, top, size, matches, active, onSize, onLink } = props
  const page = usePage(pdf, index, onSize)
  const picture = useRef<HTMLDivElement>(null)
  const words = useRef<HTMLDivElement>(null)
  usePicture(crowded ? null : page, picture, scale)
  useWords(page, words, matches, active)
  const links = useLinks(page)
  return (
    <section
      className={classes.page}
      aria-label={`第${index + 1}页`}
      style={{ top, width: size.width * scale, height: size.height * scale, '--total-scale-factor': scale }}
    >
      <div ref={picture} className={classes.picture} aria-hidden="true" />
      <div ref={words} className={classes.words} />
      {crowded && (
        <p className={classes.crowded} role="note">
          这一页内容太多，在这里显示会卡住手机。可以点上方的“保存文档”，用其他阅读应用看这一页。
        </p>
      )}
      {links.map(({ box, to }, i) => (
        <button
          // Links of a page have no identity but their place.
          key={i}
          type="button"
          className={classes.link}
          aria-label={'url' in to ? `打开外部网址 ${to.url}` : '跳到文档中的另一处'}
          style={{ left: `${box.left}%`, top: `${box.top}%`, width: `${box.width}%`, height: `${box.height}%` }}
          onClick={() => onLink(to)}
        />
      ))}
    </section>
  )
})

function usePage(pdf: Pdf, index: number, onSize: PageViewProps['onSize']): PdfPage | null {
  const [page, setPage] = useState<PdfPage | null>(null)
  useEffect(() => {
    let gone = false
    let got: PdfPage | null = null
    pdf.getPage(index + 1).then(
      (found) => {
        if (gone) return
        got = found
        const { width, height } = found.getViewport({ scale: 1 })
        onSize(index, { width, height })
        setPage(found)
      },
      // A page that cannot be read stays white; the others can be.
      () => {},
    )
    return () => {
      gone = true
      got?.cleanup()
    }
  }, [pdf, index, onSize])
  return page
}

function usePicture(page: PdfPage | null, host: RefObject<HTMLDivElement | null>, scale: number): void {
  const drawn = useRef(false)
  useEffect(() => {
    const element = host.current
    if (!page || !element) return
    let end = () => {}
    const draw = () => {
      drawn.current = true
      end = paint(page, element, scale)
    }
    const timer = setTimeout(draw, drawn.current ? REST_MS : 0)
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [page, host, scale])
  useEffect(() => {
    const element = host.current
    return () => void (element && clear(element))
  }, [host])
}

function useWords(
  page: PdfPage | null,
  container: RefObject<HTMLDivElement | null>,
  matches: readonly Match[],
  active: Match | null,
): void {
  const [layer, setLayer] = useState<WordsLayer | null>(null)
  useEffect(() => {
    if (!page || !container.current) return
    const laid = layWords(page, container.current)
    let gone = false
    laid.ready.then(
      () => gone || setLayer(laid),
      () => {},
    )
    return () => {
      gone = true
      laid.end()
    }
  }, [page, container])
  const looked = useRef<Match | null>(null)
  useEffect(() => {
    const mark = layer?.mark(matches, active, classes.activeHit ?? '')
    // Once for each: a student who scrolls on is not brought back.
    const around = mark?.closest(`.${classes.window}`)
    if (mark && around && looked.current !== active) keepInSight(around, mark)
    if (layer) looked.current = active
  }, [layer, matches, active])
}

function useLinks(page: PdfPage | null): readonly Link[] {
  const [links, setLinks] = useState<readonly Link[]>([])
  useEffect(() => {
    let gone = false
    if (page)
      linksOf(page).then(
        (found) => gone || setLinks(found),
        () => {},
      )
    return () => {
      gone = true
    }
  }, [page])
  return links
}
