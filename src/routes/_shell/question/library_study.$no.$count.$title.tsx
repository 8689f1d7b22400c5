import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SyncMark } from '#src/app/SyncMark.tsx'
import { outlineQuery } from '#src/features/question/queries.ts'
import { StudyPage } from '#src/features/question/StudyPage.tsx'
import { isNo, wholeNumber } from '#src/routes/-params.ts'

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
  // `q` in block `at`, where that is known: one question instead of a batch.
  validateSearch: ({ q, at }: Record<string, unknown>): { q?: string; at?: number } =>
    typeof q === 'string' ? { q, ...(typeof at === 'number' && { at }) } : {},
  // Reads the outline while the screen's own file comes; the screen waits for it, the route does not.
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(outlineQuery(params.no))
  },
  component: function LibraryStudyRoute() {
    const { no, count, title } = Route.useParams()
    const { q, at } = Route.useSearch()
    const navigate = useNavigate()
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
        mark={<SyncMark />}
      />
    )
  },
})
