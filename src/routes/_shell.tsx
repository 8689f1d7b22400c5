import { createFileRoute } from '@tanstack/react-router'
import { isStudying } from '#src/app/shell/nav.ts'
import { NotFound } from '#src/app/shell/NotFound.tsx'
import { Shell, ShellError } from '#src/app/shell/Shell.tsx'
import { noticeSoon } from '#src/features/notice/queries.ts'
import { ensureExam } from '#src/features/structural/startup.ts'

export const Route = createFileRoute('/_shell')({
  // In the first file: a chunk of its own would cost a slow phone one more round trip.
  codeSplitGroupings: [],
  beforeLoad: ({ context }) => ensureExam(context.queryClient),
  loader: ({ context, location }) => {
    if (!isStudying(location.pathname)) return noticeSoon(context.queryClient)
  },
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ShellError,
})
