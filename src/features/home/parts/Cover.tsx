import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import { rememberedBanner } from '../remembered.ts'
import classes from './Cover.module.css'
import { Slide } from './Slide.tsx'

/** What stands in the banners' place with the first paint: the one of last time, else our own words. */
export function Cover() {
  const banner = rememberedBanner()
  return banner ? <Slide banner={banner} first /> : <Motto />
}

/** In the place of banners, where there are none. */
export const Motto = () => (
  <div className={clsx(common.column, classes.motto)}>
    <h2 className={classes.title}>备考不断线，一题不丢</h2>
    <p>没有信号也能做题，有网自动同步</p>
  </div>
)
