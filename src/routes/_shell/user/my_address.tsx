import { createFileRoute } from '@tanstack/react-router'
import { AddressPage } from '#src/features/address/AddressPage.tsx'

export const Route = createFileRoute('/_shell/user/my_address')({
  staticData: { title: '收货地址' },
  component: AddressPage,
})
