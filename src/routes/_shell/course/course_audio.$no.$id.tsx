import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/course/course_audio/$no/$id')({
  staticData: { title: '音频课' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.id) && params, stringify: (params) => params },
  component: () => <ComingSoon title="音频课" about="锁屏播放、定时关闭、离线收听。" />,
})
