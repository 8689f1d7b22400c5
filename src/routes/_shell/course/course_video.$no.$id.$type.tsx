import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useUnitQuiz } from '#src/features/testing/useUnitQuiz.ts'
import { useLeave } from '#src/routes/-leave.ts'
import { isNo, secondIn } from '#src/routes/-params.ts'
import { keptLesson, updateOfLesson } from './-kept.tsx'

const TYPES = ['course', 'package', 'trial'] as const
const isType = (value: string): value is (typeof TYPES)[number] => TYPES.some((type) => type === value)

export const Route = createFileRoute('/_shell/course/course_video/$no/$id/$type')({
  staticData: { title: '视频课' },
  // false: not this route, so the 404 page.
  params: {
    parse: ({ no, id, type }) => isNo(no) && isNo(id) && isType(type) && { no, id, type },
    stringify: (params) => params,
  },
  // `t`: the second that it is opened at, once.
  validateSearch: secondIn,
  // The player is not precached and comes with the first download; this route is, so that it opens without a network.
  loader: async () => ({ LessonPage: (await import('#src/features/course/lesson/LessonPage.tsx')).LessonPage }),
  component: function LessonVideoRoute() {
    const { no, id, type } = Route.useParams()
    const { LessonPage } = Route.useLoaderData()
    const { t } = Route.useSearch()
    const navigate = useNavigate()
    const out = type === 'package' ? '/course/course_package/$no' : '/course/course_detail/$no'
    const leave = useLeave(out.replace('$no', no), () => navigate({ to: out, params: { no } }))
    const wayTo = (lesson: string) =>
      ({ to: '/course/course_video/$no/$id/$type', params: { no, id: lesson, type } }) as const
    return (
      <LessonPage
        key={`${type} ${no}`}
        no={no}
        of={type === 'package' ? 'package' : 'course'}
        lessonNo={id}
        kept={keptLesson}
        quizOf={useUnitQuiz()}
        // One step back leads out of the course, however many lessons were watched.
        wayTo={wayTo}
        onLesson={(next) => void navigate({ ...wayTo(next), replace: true, state: true })}
        onQuiz={(quiz) =>
          void navigate({
            to: '/testing/testing_detail/$no/$itemNo',
            params: { no: quiz, itemNo: '0' },
            state: { from: window.location.pathname },
          })
        }
        onCourse={leave}
        update={updateOfLesson}
        from={{
          second: t,
          // Opened again at this address, it goes on where it was left.
          onTaken: () => void navigate({ ...wayTo(id), replace: true, state: true }),
        }}
      />
    )
  },
})
