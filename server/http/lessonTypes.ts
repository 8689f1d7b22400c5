/** What a lesson's files may be, by their endings, and what they are served as. */
export const LESSON_TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt; charset=utf-8',
}

/** Names of files below a lesson's folder: no dot begins one, so none leads out of it. */
const NAME = /^[A-Za-z0-9_][\w.-]{0,63}(?:\/[A-Za-z0-9_][\w.-]{0,63}){0,3}$/

export const isLessonFile = (name: string): boolean => NAME.test(name) && lessonType(name) !== null

export function lessonType(name: string): string | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(LESSON_TYPES, ending) ? (LESSON_TYPES[ending] ?? null) : null
}
