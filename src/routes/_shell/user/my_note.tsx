import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { noteDraft } from '#src/features/question/lists.ts'
import { goTo } from '#src/features/question/listStudy.ts'
import { NotePage } from '#src/features/question/NotePage.tsx'

export const Route = createFileRoute('/_shell/user/my_note')({
  staticData: { title: '我的笔记' },
  component: function MyNoteRoute() {
    const navigate = useNavigate()
    const study = async (itemNo?: string) => {
      if (itemNo) await goTo(noteDraft('all'), itemNo)
      const search = itemNo ? { q: itemNo } : {}
      await navigate({ to: '/question/library_note_study/$no', params: { no: 'all' }, search })
    }
    return <NotePage onStudy={(itemNo) => void study(itemNo)} />
  },
})
