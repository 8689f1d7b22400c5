import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { call } from '#src/api/client.ts'
import { takeUserinfo } from '#src/api/userinfo.ts'
import { OfflineError } from '#src/api/errors.ts'
import { user } from '#src/contract/user.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { type Crop, drawSquare, openPicture, squareFile, WHOLE } from '#src/upload/picture.ts'
import { UploadStatus } from '#src/upload/UploadStatus.tsx'
import { useUpload } from '#src/upload/useUpload.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from '../Portrait.module.css'

const VIEW_SIDE = 384
const MAX_ZOOM = 4
const NO_NETWORK = '当前没有网络，图片已上传，联网后点“保存头像”。'

/** A picture that was picked: its square is chosen, made small on this device, uploaded, and saved. It stays until that is done. */
export function PortraitEditor({ file, onClose }: { file: File; onClose: () => void }) {
  const [picture, setPicture] = useState<HTMLCanvasElement | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [crop, setCrop] = useState(WHOLE)
  const [busy, setBusy] = useState(false)
  const upload = useUpload()
  const client = useQueryClient()
  useEffect(() => {
    let left = false
    openPicture(file).then(
      (opened) => left || setPicture(opened),
      (error: unknown) => left || setFault(toldOf(error)),
    )
    return () => void (left = true)
  }, [file])

  const save = async (portrait: string) => {
    setBusy(true)
    setFault(null)
    try {
      takeUserinfo(client, await call(user.save, { portrait }, { success: true }))
      onClose()
    } catch (error) {
      setFault(error instanceof OfflineError ? NO_NETWORK : toldOf(error))
      setBusy(false)
    }
  }
  const send = async () => {
    if (upload.now?.url) return save(upload.now.url)
    if (!picture) return
    setBusy(true)
    setFault(null)
    try {
      upload.start(await squareFile(picture, crop, file), (url) => void save(url))
    } catch (error) {
      setFault(toldOf(error))
    }
    setBusy(false)
  }
  const sent = upload.now !== null
  return (
    <div className={clsx(common.stack, classes.editor)}>
      {picture && !sent && <CropField picture={picture} crop={crop} onCrop={setCrop} />}
      {!picture && !fault && (
        <p className={common.note} role="status">
          正在加载...
        </p>
      )}
      <UploadStatus upload={upload} />
      {fault && (
        <p className={common.note} role="alert">
          {fault}
        </p>
      )}
      <div className={common.wrap}>
        {picture && (!sent || upload.now?.state === 'success') && (
          <Button busy={busy} onClick={() => void send()}>
            保存头像
          </Button>
        )}
        {(upload.now?.state === 'error' || upload.now?.state === 'canceled') && (
          <Button look="light" tone="plain" onClick={upload.forget}>
            重新裁剪
          </Button>
        )}
        <Button look="quiet" tone="plain" onClick={onClose}>
          不换了
        </Button>
      </div>
    </div>
  )
}

const toldOf = (error: unknown): string => wordsOf(error, '这张图片打不开，可能已损坏，请换一张。')

interface CropFieldProps {
  picture: HTMLCanvasElement
  crop: Crop
  onCrop: (crop: Crop) => void
}
const WAYS = [
  { name: 'zoom', label: '缩放', min: 1, max: MAX_ZOOM },
  { name: 'x', label: '左右', min: 0, max: 1 },
  { name: 'y', label: '上下', min: 0, max: 1 },
] as const

/** What is in the circle will be the portrait. Dragged, or moved by the three sliders, which a keyboard reaches, too. */
function CropField({ picture, crop, onCrop }: CropFieldProps) {
  const view = useRef<HTMLCanvasElement>(null)
  const from = useRef<{ x: number; y: number; crop: Crop } | null>(null)
  useEffect(() => {
    if (view.current) drawSquare(picture, view.current, crop)
  }, [picture, crop])
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!from.current) return
    const shown = event.currentTarget.clientWidth * crop.zoom
    const shorter = Math.min(picture.width, picture.height)
    /** How far it moves along the way that is free, in shares of it. */
    const along = (pixels: number, side: number): number => {
      const free = (side / shorter) * shown - event.currentTarget.clientWidth
      return free <= 0 ? 0 : pixels / free
    }
    const { x, y, crop: begun } = from.current
    onCrop({
      ...crop,
      x: inside(begun.x - along(event.clientX - x, picture.width)),
      y: inside(begun.y - along(event.clientY - y, picture.height)),
    })
  }
  return (
    <div className={clsx(common.wrap, classes.stage)}>
      <canvas
        className={classes.view}
        ref={view}
        width={VIEW_SIDE}
        height={VIEW_SIDE}
        role="img"
        aria-label="头像预览"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, y: event.clientY, crop }
        }}
        onPointerMove={drag}
        onPointerUp={() => (from.current = null)}
        onPointerCancel={() => (from.current = null)}
      />
      <div className={clsx(common.column, classes.ways)}>
        {WAYS.map(({ name, label, min, max }) => (
          <label key={name} className={common.row}>
            {label}
            <input
              className={clsx(common.grow, classes.slider)}
              type="range"
              min={min}
              max={max}
              step={0.01}
              value={crop[name]}
              onChange={(event) => onCrop({ ...crop, [name]: Number(event.currentTarget.value) })}
            />
          </label>
        ))}
      </div>
    </div>
  )
}
const inside = (share: number): number => Math.min(1, Math.max(0, share))
