import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { siteQuery } from '#src/app/shell/site.ts'
import { PdfPage } from '#src/features/pdf/PdfPage.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'

export const Route = createFileRoute('/_shell/pdf/$url')({
  staticData: { title: '文档' },
  component: function PdfRoute() {
    const { url } = Route.useParams()
    const navigate = useNavigate()
    const { history } = useRouter()
    const canGoBack = useCanGoBack()
    // Only an address elsewhere may be the bucket's; a file of this site waits for nobody.
    const { data: site, isPending, fetchStatus } = useQuery(siteQuery())
    if (url.startsWith('https://') && isPending && fetchStatus === 'fetching') return <Skeleton />
    const leave = () => (canGoBack ? history.back() : void navigate({ to: '/' }))
    return <PdfPage url={url} sites={{ origin: window.location.origin, bucket: site?.bucket ?? '' }} onLeave={leave} />
  },
})
