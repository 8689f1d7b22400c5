import type { QueryClient } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import { getNotice } from '#src/contract/home.ts'

export const noticeQuery = () => query(getNotice, {})

const PATIENCE_MS = 150

/** A notice that is about to come is waited for a moment, so that it does not push the screen down; no longer than that. */
export const noticeSoon = (client: QueryClient): Promise<void> =>
  Promise.race([
    client.ensureQueryData(noticeQuery()).then(
      () => {},
      () => {},
    ),
    new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
