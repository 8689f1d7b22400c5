import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CollectPage } from '#src/features/question/lists/CollectPage.tsx'
import { goToCollected } from '#src/features/question/lists/listStudy.ts'

export const Route = createFileRoute('/_shell/user/my_collect')({
  staticData: { title: '我的收藏' },
  component: function MyCollectRoute() {
    const navigate = useNavigate()
    const study = async (no: string, title: string, itemNo?: string) => {
      if (itemNo) await goToCollected(no, itemNo)
      const params = { no, title, ...(itemNo && { itemNo }) }
      await navigate({ to: '/question/library_collect_study/$no/$title/{-$itemNo}', params })
    }
    return <CollectPage onStudy={(...place) => void study(...place)} />
  },
})
