import type { Banner, HomeData } from '#src/contract/home.ts'
import type { Scope } from '#src/contract/scalar.ts'
import { isShown } from '#src/domain/app/banner.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { readSetting } from '#server/config/store.ts'
import { readCourses } from '#server/course/store.ts'
import type { Db } from '#server/db/open.ts'
import { readOpenExams } from '#server/exam/store.ts'
import { readExamDays, readPage } from '#server/news/store.ts'
import type { Asker } from '#server/rights/store.ts'
import { readBooks } from '#server/store/store.ts'
import { readPackages } from '#server/vip/store.ts'

/** '' when there is none. */
export const readNotice = async (db: Db): Promise<string> => (await readSetting(db, 'notice')) ?? ''

/** A banner as the operator set it. `directions` and `areas` empty: for every direction, everywhere. */
export interface BannerRow extends Banner {
  /** When it is shown first, epoch ms; null: at once. */
  from: number | null
  directions: string[]
  areas: string[]
}

/** All of them, in the operator's order. */
export async function readBanners(db: Db): Promise<BannerRow[]> {
  const set = await readSetting(db, 'banners')
  // Checked when it was written (content/bannerFile.ts).
  return set === null ? [] : JSON.parse(set)
}

/** In one row of a wide screen. */
const EXAMS_SHOWN = 3
const COURSES_SHOWN = 4
const NEWS_SHOWN = 5
const BOOKS_SHOWN = 4
/** A device that is long without a network has the next one, too. */
const EXAM_DAYS = 3

export async function readHome(db: Db, scope: Scope, asker: Asker): Promise<HomeData> {
  const [banners, exams, courses, news, books, vip, examDays] = await Promise.all([
    readBanners(db),
    readOpenExams(db, scope, asker, EXAMS_SHOWN),
    readCourses(db, scope, asker, COURSES_SHOWN),
    readPage(db, scope, { now: asker.now }),
    readBooks(db, scope, BOOKS_SHOWN),
    readPackages(db, scope, asker),
    readExamDays(db, scope, dateOf(dayOf(asker.now)), EXAM_DAYS),
  ])
  const shown = banners.filter((banner) => isShown(banner, asker.now) && isFor(banner, scope))
  return { banners: shown, exams, courses, news: news.items.slice(0, NEWS_SHOWN), books, vip: vip.packages, examDays }
}

/** As `inScope` (structural/store.ts) reads rows. */
const isFor = ({ directions, areas }: BannerRow, { sg_key, area }: Scope): boolean =>
  (directions.length === 0 || directions.includes(sg_key ?? '')) &&
  (area === '0' || areas.length === 0 || areas.includes(area ?? ''))
