import { Suspense } from 'react'
import { createFileRoute, useLocation, useNavigate } from '@tanstack/react-router'
import { BookPage } from '#src/features/question/errorBook/BookPage.tsx'
import { partIn } from '#src/features/question/lists/lists.ts'
import { StatsOpener } from '#src/features/stats/lazy.ts'

export const Route = createFileRoute('/_shell/user/my_error')({
  staticData: { title: '我的错题' },
  component: function ErrorBookRoute() {
    const search = useLocation({ select: (location) => location.search })
    const navigate = useNavigate()
    return (
      <BookPage
        part={partIn(search)}
        onPart={(part) => void navigate({ to: '/user/my_error', search: part })}
        stats={
          <Suspense>
            <StatsOpener />
          </Suspense>
        }
      />
    )
  },
})
