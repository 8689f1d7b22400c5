import { createFileRoute } from '@tanstack/react-router'
import { AutoClose } from '#src/app/shell/AutoClose.tsx'

export const Route = createFileRoute('/auto_close')({ staticData: { title: '支付完成' }, component: AutoClose })
