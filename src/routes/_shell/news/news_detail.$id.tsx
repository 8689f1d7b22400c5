import { createFileRoute, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { NewsDetailPage } from '#src/features/news/NewsDetailPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/news/news_detail/$id')({
  staticData: { title: '资讯详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.id) && params, stringify: (params) => params },
  validateSearch: ({ category }: Record<string, unknown>): { category?: string } =>
    isNo(category) ? { category } : {},
  component: function NewsDetailRoute() {
    const { id } = Route.useParams()
    const { category } = Route.useSearch()
    const { history } = useRouter()
    const canGoBack = useCanGoBack()
    const navigate = useNavigate()
    // Back to the row of the list that was left; who came by a link finds the list of the same category.
    const leave = () =>
      canGoBack ? history.back() : void navigate({ to: '/news/news_list', search: category ? { category } : {} })
    return <NewsDetailPage key={id} id={id} category={category} onLeave={leave} />
  },
})
