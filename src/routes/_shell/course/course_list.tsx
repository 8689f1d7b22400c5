import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { COURSE_KINDS } from '#src/contract/courseKinds.ts'
import { COURSE_PRICES, COURSE_SORTS } from '#src/domain/courses.ts'
import { CourseListPage } from '#src/features/course/CourseListPage.tsx'
import { among, text } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/course/course_list')({
  staticData: { title: '课程', chip: true },
  // In the address, so that coming back finds what was looked for.
  validateSearch: (search: Record<string, unknown>) => ({
    ...text('q', search),
    ...text('subject', search),
    ...among('kind', COURSE_KINDS, search),
    ...among('price', COURSE_PRICES, search),
    ...among('sort', COURSE_SORTS, search),
  }),
  component: function CourseListRoute() {
    const { q = '', subject = '', kind = null, price = null, sort = 'default' } = Route.useSearch()
    const navigate = useNavigate()
    return (
      <CourseListPage
        filter={{ words: q, subject, kind, price, sort }}
        onFilter={({ words, ...of }) =>
          void navigate({
            to: '/course/course_list',
            search: {
              ...(words && { q: words }),
              ...(of.subject && { subject: of.subject }),
              ...(of.kind && { kind: of.kind }),
              ...(of.price && { price: of.price }),
              ...(of.sort !== 'default' && { sort: of.sort }),
            },
            replace: true,
            resetScroll: false,
          })
        }
        onCourse={(no) => void navigate({ to: '/course/course_detail/$no', params: { no } })}
        onPackage={(no) => void navigate({ to: '/course/course_package/$no', params: { no } })}
      />
    )
  },
})
