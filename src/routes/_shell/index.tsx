import { createFileRoute } from '@tanstack/react-router'
import { RunningExams } from '#src/features/exam/lazy.tsx'
import { HomePage } from '#src/features/home/HomePage.tsx'
import { TaskCard } from '#src/features/question/today/lazy.ts'
import { TodayPanel } from '#src/features/stats/lazy.ts'

export const Route = createFileRoute('/_shell/')({
  staticData: { title: '首页', chip: true },
  component: () => <HomePage task={<TaskCard />} panel={<TodayPanel />} running={<RunningExams />} />,
})
