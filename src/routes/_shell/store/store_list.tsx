import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/store/store_list')({
  staticData: { title: '图书', chip: true },
  component: () => <ComingSoon title="图书" about="教材、真题与口袋书。" />,
})
