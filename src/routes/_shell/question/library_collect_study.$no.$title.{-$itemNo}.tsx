import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { collectList } from '#src/features/question/lists/lists.ts'
import { useCollectTitle } from '#src/features/question/lists/useCollectTitle.ts'
import { ListStudyPage } from '#src/features/question/lists/ListStudyPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question/library_collect_study/$no/$title/{-$itemNo}')({
  staticData: { title: '收藏练习', footer: false },
  params: {
    // false: not this route, so the 404 page.
    parse: (params) => isNo(params.no) && isNo(params.itemNo ?? params.no) && params,
    stringify: (params) => params,
  },
  component: function CollectStudyRoute() {
    const { no, title, itemNo } = Route.useParams()
    const own = useCollectTitle(no)
    const navigate = useNavigate()
    const client = useQueryClient()
    const list = useMemo(() => collectList(client, no, itemNo), [client, no, itemNo])
    return (
      <ListStudyPage
        key={`${no} ${itemNo}`}
        list={list}
        title={own ?? title}
        empty={{ title: '还没有收藏', text: '做题时点题目上方的星标，收藏的题会收到这里。' }}
        onLeave={() => void navigate({ to: '/user/my_collect' })}
        mark={<SyncMark />}
      />
    )
  },
})
