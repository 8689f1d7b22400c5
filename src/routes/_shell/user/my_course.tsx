import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { MyCoursesPage } from '#src/features/course/MyCoursesPage.tsx'

export const Route = createFileRoute('/_shell/user/my_course')({
  staticData: { title: '我的课程', chip: true },
  component: function MyCourseRoute() {
    const navigate = useNavigate()
    return (
      <MyCoursesPage
        onCourse={(no) => void navigate({ to: '/course/course_detail/$no', params: { no } })}
        onList={() => void navigate({ to: '/course/course_list' })}
        here={null}
      />
    )
  },
})
