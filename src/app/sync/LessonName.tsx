import { useQuery } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import { course } from '#src/contract/course.ts'

/** Of what was watched: the lesson, where its course is known. */
export function LessonName({ payload }: { payload: object }) {
  const no = 'courseNo' in payload ? String(payload.courseNo) : ''
  const { data } = useQuery({ ...query(course.detail, { no }), enabled: no !== '' })
  const lessons = data?.units.flatMap((unit) => unit.lessons) ?? []
  const lesson = 'lessonNo' in payload && lessons.find((each) => each.no === payload.lessonNo)
  return lesson && <> · {lesson.title}</>
}
