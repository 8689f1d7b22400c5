import { IconBook2 } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { BookPicture } from '#src/contract/store.ts'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import classes from '../Store.module.css'

interface PictureProps {
  of: BookPicture
  /** '' where the title stands beside it. */
  alt: string
  /** It is what the page is opened for. */
  first?: boolean
}

/** A picture in its room; one that this device does not have leaves a book there. */
export function Picture({ of, alt, first = false }: PictureProps) {
  const [missing, setMissing] = useState(false)
  if (missing)
    return (
      <span
        className={clsx(common.quiet, classes.picture, classes.missing)}
        role={alt ? 'img' : undefined}
        aria-label={alt || undefined}
      >
        <IconBook2 size={40} stroke={1.2} aria-hidden="true" />
      </span>
    )
  return (
    <CoverPicture
      of={of}
      className={classes.picture}
      alt={alt}
      loading={first ? 'eager' : 'lazy'}
      onError={() => setMissing(true)}
    />
  )
}
