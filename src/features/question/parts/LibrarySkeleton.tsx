import { Skeleton } from '#src/ui/list/Skeleton.tsx'

const HEIGHTS = [32, 260, 260]

/** The shape of the library list while it comes. */
export const LibrarySkeleton = () => <Skeleton narrow heights={HEIGHTS} />
