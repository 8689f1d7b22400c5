import { useEffect, useRef, useState } from 'react'
import { type Upload, type UploadNow, uploadPicture } from './task.ts'

/** One upload of a screen, which ends with it. */
export function useUpload() {
  const [now, setNow] = useState<UploadNow | null>(null)
  const upload = useRef<Upload | null>(null)
  useEffect(() => () => upload.current?.leave(), [])
  return {
    /** null: nothing was sent yet, or it was given up. */
    now,
    start: (file: File, onDone: (url: string) => void) => {
      upload.current = uploadPicture(file, (next) => {
        setNow(next)
        if (next.url !== null) onDone(next.url)
      })
    },
    pause: () => upload.current?.pause(),
    resume: () => upload.current?.resume(),
    retry: () => upload.current?.retry(),
    cancel: () => upload.current?.cancel(),
    /** Another one is to be sent in its place. */
    forget: () => {
      upload.current?.leave()
      setNow(null)
    },
  }
}
