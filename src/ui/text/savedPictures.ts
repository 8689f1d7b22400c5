import { bytesText } from '#src/domain/text/bytes.ts'
import classes from './savedPictures.module.css'

/** 省流模式: in the place of each picture that is not on this device a button that says what it costs, and fetches it. */
export function offerPictures(box: Element): void {
  for (const picture of box.querySelectorAll<HTMLImageElement>('img[data-src]')) void offer(picture)
}

async function offer(picture: HTMLImageElement): Promise<void> {
  const source = picture.dataset.src ?? ''
  delete picture.dataset.src
  const show = () => {
    picture.hidden = false
    picture.src = source
  }
  if (await isHere(source)) return show()
  picture.hidden = true
  const button = document.createElement('button')
  button.type = 'button'
  button.className = classes.offer ?? ''
  button.textContent = '图片，点按加载图片'
  button.addEventListener('click', (event) => {
    // In an option a tap would also choose it.
    event.preventDefault()
    event.stopPropagation()
    button.replaceWith()
    show()
  })
  picture.before(button)
  const bytes = await weigh(source)
  if (bytes > 0) button.textContent = `图片 ${bytesText(bytes)}，点按加载图片`
}

const isHere = async (source: string): Promise<boolean> =>
  typeof caches !== 'undefined' && (await caches.match(source).catch(() => undefined)) !== undefined

/** Without the picture itself. 0: nobody says. */
const weigh = async (source: string): Promise<number> =>
  source.startsWith('/')
    ? fetch(source, { method: 'HEAD' }).then(
        ({ ok, headers }) => (ok ? Number(headers.get('content-length')) : 0),
        () => 0,
      )
    : 0
