import { type Chapter, type Library, libraryList } from '#src/contract/question.ts'
import { query } from './query.ts'

/** The libraries of the direction, by which several features name a chapter. */
export const libraryListQuery = () => query(libraryList, {})

interface Home {
  library: Library | undefined
  chapter: Chapter | undefined
  /** Library · chapter, as far as they are known. */
  text: string
}

/** Where a chapter stands; its library may be known by its own number alone. */
export function homeOf(
  libraries: readonly Library[],
  { chapterNo, libraryNo }: { chapterNo?: string | null; libraryNo?: string | null },
): Home {
  const chapterIn = ({ chapters }: Library) => chapters.find(({ no }) => no === chapterNo)
  // Without a chapter none is looked for: a list has as many lines as there are libraries, each with all of its chapters.
  const library =
    (chapterNo ? libraries.find((each) => chapterIn(each)) : undefined) ?? libraries.find(({ no }) => no === libraryNo)
  const chapter = library && chapterIn(library)
  return { library, chapter, text: [library?.title, chapter?.title].filter(Boolean).join(' · ') }
}
