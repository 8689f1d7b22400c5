import { createFileRoute, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { NewsListPage, type NewsView } from '#src/features/news/NewsListPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/news/news_list')({
  staticData: { title: '资讯', chip: true },
  validateSearch: ({ category, q, part }: Record<string, unknown>): NewsView => ({
    ...(isNo(category) && { category }),
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 50) }),
    ...(part === 'calendar' && { part }),
  }),
  component: function NewsListRoute() {
    const view = Route.useSearch()
    const navigate = useNavigate()
    const { history } = useRouter()
    const canGoBack = useCanGoBack()
    const show = (search: NewsView, replace: boolean) => void navigate({ to: '/news/news_list', search, replace })
    return (
      <NewsListPage
        view={view}
        onView={(next) => show(next, true)}
        onCalendar={() => show({ part: 'calendar' }, false)}
        // Back to the place in the list; who came by a link finds its beginning.
        onLeave={() => (canGoBack ? history.back() : show({}, true))}
      />
    )
  },
})
