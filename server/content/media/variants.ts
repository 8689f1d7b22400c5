import type { Variant } from '#src/contract/course.ts'
import { isPicture, type Probe } from './mediaProbe.ts'
import type { Playlist } from './playlist.ts'

/** Holds what was read of a playlist and of all that it names, by names from its folder. */
export interface ReadPieces {
  lists: Map<string, Pick<Playlist, 'variants'> & { names: readonly string[] }>
  probes: Map<string, Pick<Probe, 'codecs' | 'lines'>>
}

/** Apple's own ladders have ten. */
const MOST_VARIANTS = 24

/** Why a playlist that offers so many qualities is refused before any of them is read, as a predicate of its name; null: it is not. */
export const tooManyVariants = (count: number): string | null =>
  count > MOST_VARIANTS ? `里有 ${count} 种清晰度，最多 ${MOST_VARIANTS} 种，请只留几种再导出` : null

/**
 * The qualities of a playlist of playlists, each with the files that it alone needs; none for a playlist of pieces.
 * @param main the playlist's name
 * @param place the folder that its files are stored in
 * @param mostFiles of all qualities together: they may share pieces, and each counts
 */
export function variantsOf(
  { lists, probes }: ReadPieces,
  { main, place, mostFiles }: { main: string; place: string; mostFiles: number },
  fault: (reason: string) => void,
): Variant[] {
  const offered = lists.get(main)?.variants ?? []
  const places = new Map([...probes.keys()].map((name, i) => [name, i]))
  const found = offered.map(({ name, lines }) => {
    const names = [name, ...(lists.get(name)?.names ?? [])].filter((each) => places.has(each))
    const is = names.flatMap((each) => probes.get(each) ?? [])
    const codecs = [...new Set(is.flatMap((each) => each.codecs))]
    const shown = lines ?? is.find((each) => each.lines !== null)?.lines ?? null
    return { codecs, lines: shown, main: `${place}/${name}`, files: names.flatMap((each) => places.get(each) ?? []) }
  })
  if (found.reduce((sum, { files }) => sum + files.length, 0) > mostFiles) {
    fault(`的各种清晰度共有超过 ${mostFiles} 个文件，不像课时，请重新导出`)
    return []
  }
  const withPicture = found.filter(({ codecs }) => codecs.some(isPicture))
  // Sound alone among pictures is for whoever has no line for a picture: nobody chooses it as one.
  const chosen = withPicture.length > 0 ? found.filter(({ codecs }) => !isSound(codecs)) : found
  return chosen.map(({ codecs, ...variant }) => ({ type: typeOf(codecs), ...variant }))
}

const isSound = (codecs: readonly string[]): boolean => codecs.length > 0 && !codecs.some(isPicture)

/** The type that an element is asked about: whatever the pieces are in, it is given them as MP4. */
function typeOf(codecs: readonly string[]): string {
  const known = codecs.filter((codec) => !codec.startsWith('['))
  const container = isSound(codecs) ? 'audio/mp4' : 'video/mp4'
  return known.length > 0 ? `${container}; codecs="${known.join(', ')}"` : container
}
