import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { StoreListPage } from '#src/features/store/StoreListPage.tsx'

export const Route = createFileRoute('/_shell/store/store_list')({
  staticData: { title: '图书', chip: true },
  component: function StoreListRoute() {
    const navigate = useNavigate()
    return <StoreListPage onOpen={(no) => void navigate({ to: '/store/store_detail/$no', params: { no } })} />
  },
})
