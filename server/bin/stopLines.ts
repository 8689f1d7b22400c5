import { clockText } from '#src/domain/course/lengths.ts'
import type { Stop } from '#server/content/bank/lessonStops.ts'

/** Tells which lessons stop for which questions no more. */
export const lostLines = (stops: readonly Stop[] | undefined): string[] => linesOf(stops, '不再')

/** Warns of what lessons would lose. */
export const warnedLines = (stops: readonly Stop[] | undefined): string[] => linesOf(stops, '将不再')

const linesOf = (stops: readonly Stop[] = [], no: string): string[] =>
  stops.map(
    ({ course, courseTitle, lesson, lessonTitle, at, question }) =>
      `  提醒 课程 ${course}（${courseTitle}）课时 ${lesson}（${lessonTitle}）${clockText(at)} 处${no}提问 ${question}：可在课程文件里换题后再导入`,
  )
