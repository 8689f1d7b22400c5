import { type KeyboardEvent, useRef, useState } from 'react'
import type { BookPicture } from '#src/contract/store.ts'
import classes from '../Store.module.css'
import { Picture } from './Picture.tsx'

interface GalleryProps {
  title: string
  pictures: readonly BookPicture[]
}

/** Pictures side by side: swiped, by the arrow keys, or by the dots. */
export function Gallery({ title, pictures }: GalleryProps) {
  const strip = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const show = (index: number) => {
    const next = Math.max(0, Math.min(index, pictures.length - 1))
    setAt(next)
    if (strip.current) strip.current.scrollLeft = next * strip.current.clientWidth
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    show(at + step)
  }
  return (
    <section className={classes.gallery} aria-label="图片">
      <div
        ref={strip}
        className={classes.strip}
        // What scrolls must be within reach of the keyboard.
        tabIndex={pictures.length > 1 ? 0 : undefined}
        role="group"
        aria-label={`${title}的图片，共 ${pictures.length} 张`}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          clientWidth > 0 && setAt(Math.round(scrollLeft / clientWidth))
        }
      >
        {pictures.map((picture, i) => (
          <Picture key={picture.src} of={picture} alt={`${title}：${picture.name}`} first={i === 0} />
        ))}
      </div>
      {pictures.length > 1 && (
        <div className={classes.dots} role="group" aria-label="选择图片">
          {pictures.map(({ src, name }, i) => (
            <button
              key={src}
              type="button"
              aria-label={`第 ${i + 1} 张：${name}`}
              aria-current={i === at}
              onClick={() => show(i)}
            />
          ))}
        </div>
      )}
    </section>
  )
}
