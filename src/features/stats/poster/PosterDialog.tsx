import { clsx } from 'clsx'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { canShare, download } from '#src/ui/download.ts'
import { Chips } from '#src/ui/list/Chips.tsx'
import { drawPoster, POSTER_HEIGHT, POSTER_WIDTH } from './draw.ts'
import { type Poster, posterText } from './posters.ts'
import classes from './Poster.module.css'

export interface PosterDialogProps {
  /** There is at least one. */
  posters: readonly Poster[]
  product: string
  onClose: () => void
}

const PNG = 'image/png'
/** Null: it is under way. */
type Made = File | 'failed' | null

/** 海报: a picture that is made on this device, and goes nowhere that the student does not send it. */
export function PosterDialog({ posters, product, onClose }: PosterDialogProps) {
  const [name, setName] = useState(posters[0]?.name ?? '')
  const [named, setNamed] = useState(false)
  const own = useSession().userinfo?.nickname ?? ''
  const nickname = named ? own : ''
  const poster = posters.find((each) => each.name === name) ?? posters[0]
  const [file, setFile] = useState<Made>(null)
  if (!poster) return null
  return (
    <Dialog title="海报" full width={760} onClose={onClose}>
      <div className={classes.poster}>
        <Picture key={JSON.stringify([poster, nickname])} {...{ poster, product, nickname }} onMade={setFile} />
        <div className={clsx(common.stack, classes.side)}>
          {posters.length > 1 && (
            <Chips
              label="海报内容"
              options={posters.map((each) => ({ value: each.name, label: each.name }))}
              chosen={poster.name}
              onPick={setName}
            />
          )}
          {own !== '' && (
            <Checkbox
              checked={named}
              hint="不勾选时，海报上没有你的任何个人信息"
              onChange={(event) => setNamed(event.target.checked)}
            >
              显示昵称
            </Checkbox>
          )}
          <Ways file={file} />
          <p className={common.note}>
            海报在这台设备上生成，不会上传。
            {/MicroMessenger/.test(navigator.userAgent) && '微信里不能保存文件，可以截屏，或点右上角在浏览器中打开。'}
          </p>
        </div>
      </div>
    </Dialog>
  )
}

interface PictureProps {
  poster: Poster
  product: string
  nickname: string
  onMade: (made: Made) => void
}

/** The poster itself, drawn once. */
function Picture({ poster, product, nickname, onMade }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const draw = useEffectEvent((tell: (made: Made) => void) => {
    // No tap saves what was on the picture before.
    tell(null)
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context) return tell('failed')
    const fonts = getComputedStyle(document.body).fontFamily
    drawPoster(context, poster, { product, nickname, address: window.location.origin, fonts })
    const name = `${product}-${poster.name}.png`
    // The file is there before the tap that gives it, as iPhones ask for.
    canvas.current.toBlob((blob) => tell(blob ? new File([blob], name, { type: PNG }) : 'failed'), PNG)
  })
  const tell = useEffectEvent(onMade)
  useLayoutEffect(() => {
    let current = true
    draw((made) => current && tell(made))
    return () => {
      current = false
    }
  }, [])
  return (
    <canvas
      ref={canvas}
      className={classes.picture}
      width={POSTER_WIDTH}
      height={POSTER_HEIGHT}
      role="img"
      aria-label={`海报：${posterText(poster, nickname)}`}
    />
  )
}

function Ways({ file }: { file: Made }) {
  if (file === 'failed')
    return (
      <p className={common.note} role="alert">
        这个浏览器没能生成图片，换一个浏览器再试。
      </p>
    )
  // Whoever closes the phone's sheet has shared nothing.
  const share = (made: File) => void navigator.share({ files: [made] }).catch(() => {})
  return (
    <div className={classes.ways}>
      <Button busy={!file} onClick={() => file && download(file, file.name)}>
        保存图片
      </Button>
      {file && canShare(file) && (
        <Button look="light" onClick={() => share(file)}>
          分享
        </Button>
      )}
    </div>
  )
}
