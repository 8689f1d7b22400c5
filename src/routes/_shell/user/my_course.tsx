import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { MyCoursesPage } from '#src/features/course/MyCoursesPage.tsx'
import { Kept } from '../course/-kept.tsx'

const here = (quiet: boolean) => <Kept quiet={quiet} />

export const Route = createFileRoute('/_shell/user/my_course')({
  staticData: { title: '我的课程', chip: true },
  component: function MyCourseRoute() {
    const navigate = useNavigate()
    return <MyCoursesPage onList={() => void navigate({ to: '/course/course_list' })} here={here} />
  },
})
