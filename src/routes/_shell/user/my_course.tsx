import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { MyCoursesPage } from '#src/features/course/MyCoursesPage.tsx'
import { optional } from '#src/ui/optional.ts'
import { openLesson } from '../course/-lesson.ts'

const KeptCourses = optional(() => import('#src/features/course/download/KeptCourses.tsx').then((m) => m.KeptCourses))

export const Route = createFileRoute('/_shell/user/my_course')({
  staticData: { title: '我的课程', chip: true },
  component: function MyCourseRoute() {
    const navigate = useNavigate()
    return (
      <MyCoursesPage
        onCourse={(no) => void navigate({ to: '/course/course_detail/$no', params: { no } })}
        onList={() => void navigate({ to: '/course/course_list' })}
        here={
          <Suspense>
            <KeptCourses
              onLesson={({ course: no, kind, lesson }) =>
                openLesson(navigate, { no, kind, open: true }, { no: lesson })
              }
            />
          </Suspense>
        }
      />
    )
  },
})
