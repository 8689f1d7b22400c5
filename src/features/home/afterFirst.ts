/** Of the home page what comes after its first paint. */
export { Banners } from './parts/Banners.tsx'
export { Countdown } from './parts/Countdown.tsx'
export { LastLesson } from './parts/LastLesson.tsx'
export { Offers } from './parts/Offers.tsx'
