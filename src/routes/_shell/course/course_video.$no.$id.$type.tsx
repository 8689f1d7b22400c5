import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/course/course_video/$no/$id/$type')({
  staticData: { title: '视频课' },
  // false: not this route, so the 404 page.
  params: {
    parse: (params) => isNo(params.no) && isNo(params.id) && isNo(params.type) && params,
    stringify: (params) => params,
  },
  component: () => <ComingSoon title="视频课" about="倍速、字幕、离线下载，进度多设备同步。" />,
})
