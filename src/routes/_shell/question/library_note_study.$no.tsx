import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { noteList } from '#src/features/question/lists/lists.ts'
import { ListStudyPage } from '#src/features/question/lists/ListStudyPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question/library_note_study/$no')({
  staticData: { title: '笔记练习' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  // `q`: the question to begin at.
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } => (isNo(q) ? { q } : {}),
  component: function NoteStudyRoute() {
    const { no } = Route.useParams()
    const { q } = Route.useSearch()
    const navigate = useNavigate()
    const client = useQueryClient()
    const list = useMemo(() => noteList(client, no, q), [client, no, q])
    return (
      <ListStudyPage
        key={`${no} ${q}`}
        list={list}
        title="笔记练习"
        empty={{ title: '还没有笔记', text: '做题时点题目上方的“笔记”，写过笔记的题会收到这里。' }}
        onLeave={() => void navigate({ to: '/user/my_note' })}
        mark={<SyncMark />}
      />
    )
  },
})
