import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { outlineQuery } from '#src/features/question/queries.ts'
import { StudyPage } from '#src/features/question/practice/StudyPage.tsx'
import { isNo, wholeNumber } from '#src/routes/-params.ts'
import { optional } from '#src/ui/optional.ts'

const DailyPage = optional(() => import('#src/features/question/DailyPage.tsx').then((m) => m.DailyPage))

export const Route = createFileRoute('/_shell/question/library_study/$no/$count/$title')({
  staticData: { title: '章节练习', footer: false },
  params: {
    // false: not this route, so the 404 page.
    parse: ({ no, count, title }) => {
      const size = wholeNumber(count, 1, 500)
      return isNo(no) && size !== null && { no, count: size, title }
    },
    stringify: ({ no, count, title }) => ({ no, count: String(count), title }),
  },
  // `q` in block `at`, where that is known: one question instead of a batch. `day`: 每日一练 of that day; the home page has led to
  // 今日任务 since, but bookmarks and pages of earlier releases still come here.
  validateSearch: ({ q, at, day }: Record<string, unknown>): { q?: string; at?: number; day?: number } =>
    typeof q === 'string'
      ? { q, ...(typeof at === 'number' && { at }) }
      : typeof day === 'number' && Number.isSafeInteger(day)
        ? { day }
        : {},
  // Reads the outline while the screen's own file comes; the screen waits for it, the route does not.
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(outlineQuery(params.no))
  },
  component: function LibraryStudyRoute() {
    const { no, count, title } = Route.useParams()
    const { q, at, day } = Route.useSearch()
    const navigate = useNavigate()
    if (day !== undefined)
      return (
        <Suspense>
          <DailyPage no={no} day={day} size={count} onLeave={() => void navigate({ to: '/' })} mark={<SyncMark />} />
        </Suspense>
      )
    return (
      <StudyPage
        key={q ?? no}
        no={no}
        found={q}
        block={at}
        size={count}
        title={title}
        onLeave={() => void navigate({ to: '/question/library' })}
        onSize={(size) => void navigate({ to: '.', params: { no, count: size, title }, replace: true })}
        onNext={(to) => void navigate({ to: '.', params: { no: to.no, count, title: to.title } })}
        mark={<SyncMark />}
      />
    )
  },
})
