import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { SLOTS } from '#src/domain/study/task.ts'
import { TodayPage } from '#src/features/question/today/TodayPage.tsx'

export const Route = createFileRoute('/_shell/today')({
  staticData: { title: '今日任务', footer: false },
  // `minutes`: the sitting is cut to them.
  validateSearch: ({ minutes }: Record<string, unknown>): { minutes?: number } =>
    SLOTS.some((slot) => slot === minutes) ? { minutes: Number(minutes) } : {},
  component: function TodayRoute() {
    const { minutes = null } = Route.useSearch()
    const navigate = useNavigate()
    return <TodayPage key={minutes} minutes={minutes} onLeave={() => void navigate({ to: '/' })} mark={<SyncMark />} />
  },
})
