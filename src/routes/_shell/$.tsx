import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '#src/app/shell/NotFound.tsx'

/** Any other path. */
export const Route = createFileRoute('/_shell/$')({ staticData: { title: '页面不存在' }, component: NotFound })
