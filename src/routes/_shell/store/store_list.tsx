import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { BOOK_KINDS } from '#src/contract/store.ts'
import { BOOK_SORTS } from '#src/domain/books.ts'
import { StoreListPage } from '#src/features/store/StoreListPage.tsx'
import { among, text } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/store/store_list')({
  staticData: { title: '图书', chip: true },
  // In the address, so that coming back finds what was looked for.
  validateSearch: (search: Record<string, unknown>) => ({
    ...text('q', search),
    ...among('kind', BOOK_KINDS, search),
    ...among('sort', BOOK_SORTS, search),
  }),
  component: function StoreListRoute() {
    const { q = '', kind = null, sort = 'default' } = Route.useSearch()
    const navigate = useNavigate()
    return (
      <StoreListPage
        filter={{ words: q, kind, sort }}
        onFilter={(of) =>
          void navigate({
            to: '/store/store_list',
            search: {
              ...(of.words && { q: of.words }),
              ...(of.kind && { kind: of.kind }),
              ...(of.sort !== 'default' && { sort: of.sort }),
            },
            replace: true,
            resetScroll: false,
          })
        }
        onOpen={(no) => void navigate({ to: '/store/store_detail/$no', params: { no } })}
      />
    )
  },
})
