import { useQuery } from '@tanstack/react-query'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import { DEFAULT_NAME, useFolders } from '#src/player/marks/writeMarks.ts'
import { folderInPath } from './lists.ts'

/** What 收藏练习 of a chapter, a library, a folder or `all` is called; undefined while this device does not know it. */
export function useCollectTitle(no: string): string | undefined {
  const folders = useFolders()
  const { data: libraries = [] } = useQuery(libraryListQuery())
  if (no === 'all') return '我的收藏'
  if (no === folderInPath('')) return DEFAULT_NAME
  const { library, chapter } = homeOf(libraries, { chapterNo: no, libraryNo: no })
  return folders.get(no) ?? chapter?.title ?? library?.title
}
