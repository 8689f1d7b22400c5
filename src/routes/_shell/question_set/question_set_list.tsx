import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SetListPage } from '#src/features/questionSet/SetListPage.tsx'
import { TestingItems, TestingList } from '#src/features/testing/TestingList.tsx'

export const Route = createFileRoute('/_shell/question_set/question_set_list')({
  staticData: { title: '题集' },
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'testing' } => (tab === 'testing' ? { tab } : {}),
  component: function SetListRoute() {
    const { tab = 'all' } = Route.useSearch()
    const navigate = useNavigate()
    const open = (no: string) => void navigate({ to: '/question_set/question_set_detail/$no', params: { no } })
    const test = (no: string) =>
      void navigate({ to: '/testing/testing_detail/$no/$itemNo', params: { no, itemNo: '0' } })
    return (
      <SetListPage
        initial={tab}
        onOpen={open}
        testings={{ items: <TestingItems onOpen={test} />, list: <TestingList onOpen={test} /> }}
      />
    )
  },
})
