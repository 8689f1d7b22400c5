import { useId, useRef, useState } from 'react'
import type { BookPicture } from '#src/contract/store.ts'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from '../Store.module.css'
import { Picture } from './Picture.tsx'

interface GalleryProps {
  title: string
  pictures: readonly BookPicture[]
}

/** What is scrolled can be scrolled by keys. */
const SCROLLS = { tabIndex: 0, role: 'group', 'aria-label': '图片，左右滑动' }

/** Pictures side by side: swiped, or by the dots, which are a choice that the arrow keys move. */
export function Gallery({ title, pictures }: GalleryProps) {
  const strip = useRef<HTMLDivElement>(null)
  const name = useId()
  const [at, setAt] = useState(0)
  const show = (index: number) => {
    setAt(index)
    if (strip.current) strip.current.scrollLeft = index * strip.current.clientWidth
  }
  return (
    <section className={classes.gallery} aria-label="图片">
      <div
        ref={strip}
        className={classes.strip}
        {...SCROLLS}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          clientWidth > 0 && setAt(Math.round(scrollLeft / clientWidth))
        }
      >
        {pictures.map((picture, i) => (
          <Picture key={picture.src} of={picture} alt={`${title}：${picture.name}`} first={i === 0} />
        ))}
      </div>
      {pictures.length > 1 && (
        <fieldset className={classes.dots}>
          <legend className={unseen.unseen}>选择图片</legend>
          {pictures.map(({ src, name: shows }, i) => (
            <input
              className={classes.dot}
              key={src}
              type="radio"
              name={name}
              aria-label={`第 ${i + 1} 张：${shows}`}
              checked={i === at}
              onChange={() => show(i)}
            />
          ))}
        </fieldset>
      )}
    </section>
  )
}
