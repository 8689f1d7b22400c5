import { OWNER_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import type { Library } from '#src/contract/question.ts'
import { session } from '#src/session/session.ts'

export type Subject = Library['subject']

/** The subjects of these libraries, in their order. */
export const subjectsOf = (libraries: readonly Library[]): Subject[] => [
  ...new Map(libraries.map(({ subject }) => [subject.no, subject])).values(),
]

const lastStudied = (): string => deviceMemory.get(OWNER_KEYS.lastChapter(session.owner()))?.split('/')[0] ?? ''
const SEPARATOR = '/'

/** The subject that 题库 opens: the one that was chosen since the student last studied, else that one's, else the first. */
export function openSubject(libraries: readonly Library[]): string {
  const last = lastStudied()
  const [chosen = '', then] = deviceMemory.get(OWNER_KEYS.subject(session.owner()))?.split(SEPARATOR) ?? []
  if (then === last && libraries.some(({ subject }) => subject.no === chosen)) return chosen
  const isIn = ({ no, chapters }: Library) => no === last || chapters.some((chapter) => chapter.no === last)
  return (libraries.find(isIn) ?? libraries[0])?.subject.no ?? ''
}

/** Remembers the choice until the student studies something else. */
export const chooseSubject = (no: string): void =>
  deviceMemory.set(OWNER_KEYS.subject(session.owner()), `${no}${SEPARATOR}${lastStudied()}`)
