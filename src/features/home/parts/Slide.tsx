import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { MouseEvent } from 'react'
import type { Banner } from '#src/contract/home.ts'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import classes from './Slide.module.css'

/** A banner: its picture, and its words as text above it, so that they are read out, searched and enlarged. */
export function Slide({ banner, first }: { banner: Banner; first: boolean }) {
  const { history } = useRouter()
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    history.push(banner.link)
  }
  return (
    <a href={banner.link} className={clsx(common.link, classes.slide)} onClick={go} draggable={false}>
      <CoverPicture
        of={banner}
        className={classes.picture}
        draggable={false}
        decoding={first ? 'sync' : 'async'}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
      />
      <span className={clsx(common.column, classes.words)}>
        <b className={clsx(common.heading, classes.title)}>{banner.title}</b>
        {banner.note !== '' && <small className={classes.note}>{banner.note}</small>}
      </span>
    </a>
  )
}
