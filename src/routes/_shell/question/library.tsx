import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { lessonWay } from '#src/features/course/lessonWay.ts'
import { LibraryPage } from '#src/features/question/LibraryPage.tsx'
import { StatsOpener } from '#src/features/stats/lazy.ts'

export const Route = createFileRoute('/_shell/question/library')({
  staticData: { title: '题库', chip: true },
  component: function LibraryRoute() {
    const navigate = useNavigate()
    const open = (no: string, count: number, title: string) =>
      void navigate({ to: '/question/library_study/$no/$count/$title', params: { no, count, title } })
    return (
      <LibraryPage
        onOpen={open}
        stats={<StatsOpener>学习统计</StatsOpener>}
        onFoundLesson={({ course, lesson, at }) =>
          void navigate({
            ...lessonWay(course, lesson),
            search: { t: Math.floor(at) },
            state: { from: window.location.pathname },
          })
        }
        onFound={({ no, at, chapterNo }, title) =>
          void navigate({
            to: '/question/library_study/$no/$count/$title',
            params: { no: chapterNo, count: 1, title },
            search: { q: no, ...(at !== undefined && { at }) },
          })
        }
      />
    )
  },
})
