import { DEVICE_KEYS } from '#src/device/keys.ts'
import DOMPurify from 'dompurify'
import { memo, useEffect, useMemo, useRef } from 'react'
import {
  isPictureSource,
  isRecordingSource,
  MATH_ATTRIBUTES,
  MATH_TAGS,
  TEXT_ATTRIBUTES,
  TEXT_TAGS,
} from '#src/domain/text/html.ts'
import { holdGaps } from '#src/domain/text/gaps.ts'
import { ensureMath } from './mathSupport.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { setUpRecordings } from './recordings.ts'
import { watchWide } from './wide.ts'
import classes from './RichText.module.css'

const config = {
  // A mark is our own, of the blank that is asked for.
  ALLOWED_TAGS: [...TEXT_TAGS, ...MATH_TAGS, 'mark'],
  ALLOWED_ATTR: [...new Set([...Object.values(TEXT_ATTRIBUTES).flat(), ...MATH_ATTRIBUTES, 'class'])],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML'],
}
let purifier: typeof DOMPurify | undefined

function makePurifier(): typeof DOMPurify {
  const made = DOMPurify(window)
  made.addHook('afterSanitizeAttributes', (node) => {
    // Only the importer's own alignment classes: another class could dress a text up as part of our page.
    const kept = [...node.classList].filter((name) => name === 'tml-left' || name === 'tml-right')
    if (kept.length > 0) node.setAttribute('class', kept.join(' '))
    else node.removeAttribute('class')
    if (node instanceof HTMLAudioElement) fitOut(node)
    if (node.tagName !== 'IMG') return
    if (!isPictureSource(node.getAttribute('src') ?? '')) node.remove()
    node.setAttribute('loading', 'lazy')
    node.setAttribute('decoding', 'async')
    // 省流模式: nothing is fetched before a tap (savedPictures.ts).
    if (deviceMemory.get(DEVICE_KEYS.saver) !== '1') return
    node.setAttribute('data-src', node.getAttribute('src') ?? '')
    node.removeAttribute('src')
  })
  return made
}

/** The browser's own controls are those that students know; nothing is fetched, and nothing sounds, before they ask for it. */
function fitOut(audio: HTMLAudioElement): void {
  if (!isRecordingSource(audio.getAttribute('src') ?? '')) return audio.remove()
  audio.controls = true
  audio.preload = 'none'
  audio.setAttribute('aria-label', '听力录音')
}

/** Nothing but text and bare tags of its flow, as most questions are: there is nothing to take out. */
const PLAIN = /^(?:[^<]|<\/?(?:p|br|b|strong|i|em|u|s|sub|sup|mark)>)*$/
function sanitize(html: string): string {
  if (PLAIN.test(html)) return html
  purifier ??= makePurifier()
  if (!html.includes('<math')) return purifier.sanitize(html, config)
  const body = purifier.sanitize(html, { ...config, RETURN_DOM: true })
  if (!(body instanceof Element)) return ''
  for (const math of body.querySelectorAll('math:not([display=block])')) hold(math)
  return body.innerHTML
}

const WIDE = /<(math|table)/
const SCROLLING = `.${classes.formula}, math[display=block], table`
const SIGNS = /^\s*[，。；：、！？）】》”’,.;:!?)\]]+/
/** A formula in a line scrolls in a box of its own, with the punctuation after it: no line begins with a comma. */
function hold(math: Element): void {
  const box = document.createElement('span')
  box.className = classes.formula ?? ''
  const after = math.nextSibling
  math.replaceWith(box)
  box.append(math)
  const [signs = ''] = SIGNS.exec((after instanceof Text && after.data) || '') ?? []
  box.append(signs)
  if (after && signs) after.nodeValue = (after.nodeValue ?? '').slice(signs.length)
}

interface RichTextProps {
  html: string
  /** Within a line, such as an option. */
  inline?: boolean
}

/** Question text on the screen: sanitised once more here, because what was stored may be older than the rules. */
export const RichText = memo(function RichText({ html, inline = false }: RichTextProps) {
  const clean = useMemo(() => ({ __html: sanitize(holdGaps(html)) }), [html])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (clean.__html.includes('data-src='))
      void import('./savedPictures.ts').then(
        ({ offerPictures }) => box.current && offerPictures(box.current),
        () => {},
      )
  }, [clean])
  useEffect(() => {
    if (!clean.__html.includes('<img')) return
    let stop: (() => void) | null | undefined
    void import('./drawings.ts').then(
      ({ watchDrawings }) => {
        if (stop !== null && box.current) stop = watchDrawings(box.current)
      },
      () => {},
    )
    return () => {
      stop?.()
      stop = null
    }
  }, [clean])
  useEffect(() => (clean.__html.includes('<audio') && box.current ? setUpRecordings(box.current) : undefined), [clean])
  useEffect(() => {
    if (clean.__html.includes('<math')) ensureMath()
    return WIDE.test(clean.__html) && box.current ? watchWide(box.current, SCROLLING) : undefined
  }, [clean])
  const Tag = inline ? 'span' : 'div'
  return <Tag ref={box} className={inline ? classes.inline : classes.block} dangerouslySetInnerHTML={clean} />
})
