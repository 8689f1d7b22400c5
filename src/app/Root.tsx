import { Outlet, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '#src/session/useSession.ts'
import { PRODUCT } from './product.ts'

/** Around every page, the ones outside the shell and the ones in its place (spec §2) included: it gives them their title. */
export function Root() {
  useTitle(useMatches().at(-1)?.staticData.title)
  return <Outlet />
}

/** <exam name>-<route's name>; the product's name where a part is missing. */
function useTitle(name = PRODUCT): void {
  const { exam } = useSession()
  useEffect(() => {
    document.title = `${exam?.name ?? PRODUCT}-${name}`
  }, [exam, name])
}
