import { Skeleton } from '#src/ui/list/Skeleton.tsx'

const HEIGHTS = [60, 74, 44, 420]

/** The shape of the library list while it comes. */
export const LibrarySkeleton = () => <Skeleton narrow heights={HEIGHTS} />
