import { createFileRoute, redirect } from '@tanstack/react-router'
import { Hub } from '#src/app/mine/Hub.tsx'
import { hasMenu } from '#src/app/mine/width.ts'

export const Route = createFileRoute('/_shell/user/')({
  staticData: { title: '我的' },
  beforeLoad: () => {
    if (hasMenu()) throw redirect({ to: '/user/my_course', replace: true })
  },
  component: Hub,
})
