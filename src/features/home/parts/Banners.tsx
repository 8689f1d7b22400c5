import { homeQuery } from '#src/api/home.ts'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Banner } from '#src/contract/home.ts'
import { isShown } from '#src/domain/app/banner.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { rememberBanner } from '../remembered.ts'
import classes from './Banners.module.css'
import { Cover, Motto } from './Cover.tsx'
import { Slide } from './Slide.tsx'
import { useCarousel } from './useCarousel.ts'

/** 轮播: the operator's banners that are shown now; one of them needs no controls. */
export function Banners() {
  const { data } = useQuery(homeQuery())
  const banners = data?.banners.filter(({ until }) => isShown({ from: null, until }, serverNow()))
  const first = banners && (banners[0] ?? null)
  useEffect(() => {
    if (first !== undefined) rememberBanner(first)
  }, [first])
  if (!banners) return <Cover />
  if (!first) return <Motto />
  // Others are another carousel, which begins with its first.
  return <Carousel key={banners.map(({ src, link }) => src + link).join()} banners={banners} />
}

function Carousel({ banners }: { banners: readonly Banner[] }) {
  const box = useRef<HTMLElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const dots = useRef<HTMLDivElement>(null)
  const { at, go, hold, mayPlay, paused, setPaused } = useCarousel(track, banners.length)
  const several = banners.length > 1
  const steer = useEffectEvent((event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step || !several) return
    event.preventDefault()
    const next = (at + step + banners.length) % banners.length
    go(next)
    if (dots.current?.contains(document.activeElement)) dots.current.querySelectorAll('button')[next]?.focus()
  })
  // The dot of the banner that is seen is seen, too, where there are more of them than fit.
  useEffect(() => {
    const [row, dot] = [dots.current, dots.current?.children[at]]
    if (row && dot instanceof HTMLElement)
      row.scrollTo({ left: dot.offsetLeft - row.offsetLeft - (row.clientWidth - dot.offsetWidth) / 2 })
  }, [at])
  // Arrows work wherever in it the focus is.
  useEffect(() => {
    const element = box.current
    const listener = (event: KeyboardEvent) => steer(event)
    element?.addEventListener('keydown', listener)
    return () => element?.removeEventListener('keydown', listener)
  }, [])
  return (
    <section ref={box} className={classes.carousel} aria-roledescription="轮播" aria-label="推荐" {...hold}>
      <div ref={track} className={classes.track}>
        {banners.map((banner, i) => (
          <div
            // The carousel itself is another one when its banners are.
            key={i}
            role="group"
            aria-roledescription="幻灯片"
            aria-label={`第${i + 1}张，共${banners.length}张`}
            inert={i !== at}
          >
            <Slide banner={banner} first={i === 0} />
          </div>
        ))}
      </div>
      {several && (
        <div className={classes.controls}>
          {mayPlay && (
            <button
              type="button"
              className={classes.control}
              aria-label={paused ? '继续轮播' : '暂停轮播'}
              onClick={() => setPaused(!paused)}
            >
              {paused ? (
                <IconPlayerPlay size={18} className={classes.icon} />
              ) : (
                <IconPlayerPause size={18} className={classes.icon} />
              )}
            </button>
          )}
          <div ref={dots} className={classes.dots} role="group" aria-label="选择第几张">
            {banners.map((banner, i) => (
              <button
                key={i}
                type="button"
                className={classes.control}
                aria-label={`第${i + 1}张：${banner.title}`}
                aria-current={i === at}
                onClick={() => {
                  go(i)
                  setPaused(true)
                }}
              >
                <i className={classes.dot} />
              </button>
            ))}
          </div>
        </div>
      )}
    </section>
  )
}
