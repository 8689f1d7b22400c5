import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { LessonNotesPage } from '#src/features/course/notes/LessonNotesPage.tsx'
import { goToNoted } from '#src/features/question/lists/listStudy.ts'
import { NotePage } from '#src/features/question/lists/NotePage.tsx'
import { Choices } from '#src/ui/Choices.tsx'

const KINDS = [
  { value: 'question', label: '题目笔记' },
  { value: 'lesson', label: '课时笔记' },
] as const

export const Route = createFileRoute('/_shell/user/my_note')({
  staticData: { title: '我的笔记' },
  // `of`: on what the notes are; the way back from a lesson leads to those on lessons.
  validateSearch: ({ of }: Record<string, unknown>): { of?: 'lesson' } => (of === 'lesson' ? { of } : {}),
  component: function MyNoteRoute() {
    const { of = 'question' } = Route.useSearch()
    const navigate = useNavigate()
    const study = async (itemNo?: string) => {
      if (itemNo) await goToNoted(itemNo)
      const search = itemNo ? { q: itemNo } : {}
      await navigate({ to: '/question/library_note_study/$no', params: { no: 'all' }, search })
    }
    const choose = (kind: (typeof KINDS)[number]['value']) =>
      void navigate({ to: '/user/my_note', search: kind === 'lesson' ? { of: kind } : {}, replace: true })
    const kinds = <Choices title="笔记类型" options={KINDS} chosen={[of]} onPick={choose} />
    return of === 'lesson' ? (
      <LessonNotesPage kinds={kinds} />
    ) : (
      <NotePage kinds={kinds} onStudy={(itemNo) => void study(itemNo)} />
    )
  },
})
