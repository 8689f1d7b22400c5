import { createFileRoute } from '@tanstack/react-router'
import { PRODUCT } from '#src/app/product.ts'
import { mondayNamed } from '#src/domain/study/week.ts'
import { WeekPage } from '#src/features/stats/week/WeekPage.tsx'

export const Route = createFileRoute('/_shell/report/week')({
  staticData: { title: '周报' },
  // `week`: its name, such as 2026-W48, or one of its dates; anything else is this week.
  validateSearch: ({ week }: Record<string, unknown>): { week?: string } =>
    typeof week === 'string' && mondayNamed(week) !== null ? { week } : {},
  component: function WeekRoute() {
    const { week } = Route.useSearch()
    return <WeekPage monday={week === undefined ? null : mondayNamed(week)} product={PRODUCT} />
  },
})
