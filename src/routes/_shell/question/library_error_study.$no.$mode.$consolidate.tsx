import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { errorList, partIn } from '#src/features/question/lists/lists.ts'
import { ListStudyPage } from '#src/features/question/lists/ListStudyPage.tsx'
import { isNo } from '#src/routes/-params.ts'

const MODES = ['answer', 'recite'] as const

export const Route = createFileRoute('/_shell/question/library_error_study/$no/$mode/$consolidate')({
  staticData: { title: '错题练习', footer: false },
  params: {
    // false: not this route, so the 404 page.
    parse: ({ no, mode, consolidate }) => {
      const known = MODES.find((each) => each === mode)
      return (
        isNo(no) &&
        known !== undefined &&
        /^[01]$/.test(consolidate) && { no, mode: known, consolidate: consolidate === '1' }
      )
    },
    stringify: ({ no, mode, consolidate }) => ({ no, mode, consolidate: consolidate ? '1' : '0' }),
  },
  component: function ErrorStudyRoute() {
    const { no, mode, consolidate } = Route.useParams()
    const navigate = useNavigate()
    const client = useQueryClient()
    const search = useLocation({ select: (location) => location.search })
    const { phase, by, is } = partIn(search)
    const list = useMemo(
      () => errorList(client, { no, mode, consolidate, part: { phase, by, is } }),
      [client, no, mode, consolidate, phase, by, is],
    )
    return (
      <ListStudyPage
        key={list.draft}
        list={list}
        title={consolidate ? '今日复习' : '错题练习'}
        empty={
          consolidate
            ? { title: '今天没有要复习的题', text: '做错的题会按记忆规律安排复习，到时候再来。' }
            : { title: '没有错题', text: '做错的题会自动收到这里。' }
        }
        onLeave={() => void navigate({ to: '/user/my_error', search })}
        mark={<SyncMark />}
      />
    )
  },
})
