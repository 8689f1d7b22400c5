import { clsx } from 'clsx'
import { useLayoutEffect, useRef, useState } from 'react'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { RichText } from '#src/ui/text/RichText.tsx'
import classes from '../News.module.css'

/** An article's text. Its pictures are shown large when they are tapped, or chosen by key. Another text is another `key`. */
export function Text({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [large, setLarge] = useState<HTMLImageElement | null>(null)
  // The pictures themselves become buttons: nothing is put around them that could move the text.
  useLayoutEffect(() => {
    for (const picture of box.current?.querySelectorAll('img') ?? []) {
      picture.tabIndex = 0
      picture.setAttribute('role', 'button')
      picture.setAttribute('aria-label', `放大图片：${picture.alt}`)
      picture.addEventListener('click', () => setLarge(picture))
      picture.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        // Nor does a space scroll the page.
        event.preventDefault()
        setLarge(picture)
      })
    }
  }, [])
  const close = () => setLarge(null)
  return (
    <>
      <div ref={box} className={classes.text}>
        <RichText html={html} />
      </div>
      {large && (
        <Dialog title={large.alt || '图片'} width={1200} full onClose={close}>
          <div className={classes.moved}>
            {/* It has the focus, so that arrow keys move what is around it. */}
            <button type="button" className={classes.reduce} aria-label="缩小图片" data-autofocus onClick={close}>
              <img
                className={clsx(common.picture, classes.large)}
                data-drawing={large.dataset.drawing}
                src={large.src}
                alt={large.alt}
                style={{ width: Math.max(large.naturalWidth, large.width) }}
              />
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
