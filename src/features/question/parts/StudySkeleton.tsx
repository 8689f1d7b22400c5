import { Skeleton } from '#src/ui/list/Skeleton.tsx'

/** A line of a heading, the stem, four options. */
const HEIGHTS = [24, 72, 54, 54, 54, 54]

/** The shape of a question while it comes. */
export const StudySkeleton = ({ says }: { says?: string | undefined }) => (
  <Skeleton narrow heights={HEIGHTS} {...(says !== undefined && { says })} />
)
