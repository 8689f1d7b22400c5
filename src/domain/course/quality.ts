import type {
  CourseKind,
  LessonSize,
  MediaFile,
  PlayedFile,
  PlayedRendition,
  Quality,
  Variant,
} from '#src/contract/course.ts'

/** A student asks for a name, and for the lines of the picture that it stood for where it was chosen. */
export type Wish = Pick<LessonSize, 'quality' | 'lines'>
interface RenditionOf<F extends PlayedFile> extends Omit<PlayedRendition, 'files'> {
  files: F[]
}
/** A rendition that was chosen among several, or the only one there is. */
export interface ChosenRendition<F extends PlayedFile = MediaFile> extends RenditionOf<F> {
  /** Absent: there was nothing to choose from. */
  quality?: Quality | undefined
}
export interface Choice<F extends PlayedFile = MediaFile> extends LessonSize {
  /** Of a playlist it has the files of this quality alone. */
  rendition: ChosenRendition<F>
}

const ORDER: readonly Quality[] = ['smooth', 'standard', 'high']
/** Lines of the largest picture that still has the name. */
const SMOOTH_LINES = 400
const STANDARD_LINES = 600

/** This is asked for until somebody has chosen: it costs little, and writing on a board can be read. */
export const USUAL_WISH: Wish = { quality: 'standard', lines: 540 }

export const QUALITY_NAMES: Record<CourseKind, Record<Quality, string>> = {
  video: { smooth: '流畅', standard: '标清', high: '高清' },
  audio: { smooth: '流畅', standard: '标准', high: '高音质' },
}
/** What qualities are of, as a heading says it. */
export const QUALITY_OF: Record<CourseKind, string> = { video: '画质', audio: '音质' }
/** 高清 720P */
export const qualityText = (kind: CourseKind, { quality, lines }: Wish): string =>
  QUALITY_NAMES[kind][quality] + (lines === null ? '' : ` ${lines}P`)

export const sameWish = (a: Wish | undefined, b: Wish | undefined): boolean =>
  a?.quality === b?.quality && a?.lines === b?.lines

const weigh = (files: readonly PlayedFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** A quality of a playlist as something that is played by itself. */
function narrowed<F extends PlayedFile>(
  { type, files }: RenditionOf<F>,
  { main, lines, files: places }: Variant,
): ChosenRendition<F> {
  return { type, main, lines, files: places.flatMap((place) => files[place] ?? []) }
}

/**
 * What a device can choose from, the smallest first. Of each height there is one: a file before a playlist, in the operator's
 * order; of a playlist's the lightest.
 * @param plays whether the device plays a type, as a file or as pieces of a playlist
 */
export function choicesOf<F extends PlayedFile>(
  renditions: readonly RenditionOf<F>[],
  plays: (type: string, as: 'file' | 'playlist') => boolean,
): Choice<F>[] {
  const files = renditions.filter(({ type, lines }) => lines && plays(type, 'file'))
  const pieces = renditions.flatMap((each) =>
    (each.variants ?? []).filter(({ type }) => plays(type, 'playlist')).map((variant) => narrowed(each, variant)),
  )
  const all = [...files, ...pieces.sort((a, b) => weigh(a.files) - weigh(b.files))]
  const pictures = all.filter(({ lines }) => lines)
  const found = pictures.length > 0 ? byLines(pictures) : byRank(all)
  return found.map(({ quality, rendition, lines }) => ({
    quality,
    lines,
    bytes: weigh(rendition.files),
    rendition: found.length > 1 ? { ...rendition, quality } : rendition,
  }))
}

interface Found<F extends PlayedFile> extends Wish {
  rendition: RenditionOf<F>
}

function byLines<F extends PlayedFile>(renditions: readonly RenditionOf<F>[]): Found<F>[] {
  const first = new Map<number, RenditionOf<F>>()
  for (const each of renditions) if (each.lines && !first.has(each.lines)) first.set(each.lines, each)
  return [...first]
    .sort(([a], [b]) => a - b)
    .map(([lines, rendition]) => ({
      quality: lines <= SMOOTH_LINES ? 'smooth' : lines <= STANDARD_LINES ? 'standard' : 'high',
      lines,
      rendition,
    }))
}

/** Without pictures: the lightest, the heaviest, and the one in the middle. */
function byRank<F extends PlayedFile>(renditions: readonly RenditionOf<F>[]): Found<F>[] {
  const last = renditions.length - 1
  const places = [...new Set([0, Math.floor(last / 2), last])].filter((place) => place >= 0)
  const names: readonly Quality[] = places.length === 2 ? ['smooth', 'high'] : ORDER
  return places.flatMap((place, i) => {
    const [rendition, quality] = [renditions[place], names[i]]
    return rendition && quality ? [{ quality, lines: null, rendition }] : []
  })
}

/** The smallest first. */
export const byQuality = (a: Wish, b: Wish): number =>
  ORDER.indexOf(a.quality) - ORDER.indexOf(b.quality) || (a.lines ?? 0) - (b.lines ?? 0)

/** What comes nearest to a wish: of its name, else a smaller one, else the smallest. @param list the smallest first */
export function pick<T extends Wish>(list: readonly T[], wish: Wish): T | undefined {
  const rank = ({ quality }: Wish) => ORDER.indexOf(quality)
  const named = list.filter(({ quality }) => quality === wish.quality)
  const of = named.length > 0 ? named : list
  const isAbove = (each: T) =>
    rank(each) > rank(wish) || (rank(each) === rank(wish) && (each.lines ?? 0) > (wish.lines ?? Infinity))
  return of.filter((each) => !isAbove(each)).at(-1) ?? of[0]
}

/** 'standard:540', as a device remembers it. */
export const wishText = ({ quality, lines }: Wish): string => `${quality}:${lines ?? ''}`
/** Null: it is none. */
export function wishOf(text: string | null): Wish | null {
  const [, name, lines] = /^([a-z]+):(\d{0,5})$/.exec(text ?? '') ?? []
  const quality = ORDER.find((each) => each === name)
  return quality ? { quality, lines: lines ? Number(lines) : null } : null
}
