import type { LibraryOptions } from '#server/content/formats/readers.ts'

/** What a file that does not name its library is imported into. */
export const foreignLibrary = (library: string, headers: Record<string, string> = {}): LibraryOptions => ({
  library,
  title: '外部题库',
  subject: { no: 'foreign', name: '外部' },
  directions: [],
  areas: [],
  chapter: '综合',
  headers,
})
