import { BackButton } from '#src/ui/BackButton.tsx'

/** The way back to the list. */
export const AllCourses = ({ onLeave }: { onLeave: () => void }) => <BackButton onClick={onLeave}>全部课程</BackButton>
