import { optional } from '#src/ui/optional.ts'

/** The home page shows this of 今日任务 after its first paint. */
export const TaskCard = optional(() => import('./TaskCard.tsx').then((m) => m.TaskCard))
