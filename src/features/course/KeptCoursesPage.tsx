import type { ReactNode } from 'react'
import listing from '#src/ui/list/Listing.module.css'
import unseen from '#src/ui/text/Unseen.module.css'
import { AllCourses } from './parts/AllCourses.tsx'

/** 已下载课程 by itself: what is on the phone needs no login, as it needed none to come here. */
export const KeptCoursesPage = ({ onLeave, children }: { onLeave: () => void; children: ReactNode }) => (
  <div className={listing.page}>
    <AllCourses onLeave={onLeave} />
    <h1 className={unseen.unseen}>已下载课程</h1>
    {children}
  </div>
)
