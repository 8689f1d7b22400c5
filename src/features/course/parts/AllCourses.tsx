import { IconChevronLeft } from '@tabler/icons-react'
import listing from '#src/ui/list/Listing.module.css'

/** The way back to the list. */
export const AllCourses = ({ onLeave }: { onLeave: () => void }) => (
  <button type="button" className={listing.back} onClick={onLeave}>
    <IconChevronLeft size={18} aria-hidden="true" />
    全部课程
  </button>
)
