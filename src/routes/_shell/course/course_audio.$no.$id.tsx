import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useUnitQuiz } from '#src/features/testing/useUnitQuiz.ts'
import { useLeave } from '#src/routes/-leave.ts'
import { isNo, secondIn } from '#src/routes/-params.ts'
import { keptLesson, updateOfLesson } from './-kept.tsx'

export const Route = createFileRoute('/_shell/course/course_audio/$no/$id')({
  staticData: { title: '音频课' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.id) && params, stringify: (params) => params },
  // `t`: the second that it is opened at, once.
  validateSearch: secondIn,
  // The player is not precached and comes with the first download; this route is, so that it opens without a network.
  loader: async () => ({ LessonPage: (await import('#src/features/course/lesson/LessonPage.tsx')).LessonPage }),
  component: function LessonAudioRoute() {
    const { no, id } = Route.useParams()
    const { LessonPage } = Route.useLoaderData()
    const { t } = Route.useSearch()
    const navigate = useNavigate()
    const leave = useLeave(`/course/course_detail/${no}`, () =>
      navigate({ to: '/course/course_detail/$no', params: { no } }),
    )
    const wayTo = (lesson: string) => ({ to: '/course/course_audio/$no/$id', params: { no, id: lesson } }) as const
    return (
      <LessonPage
        key={no}
        no={no}
        of="course"
        lessonNo={id}
        kept={keptLesson}
        quizOf={useUnitQuiz()}
        // One step back leads out of the course, however many lessons were heard.
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
