import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The screen of a course that this quiz was opened from, while it is sat. */
    course?: string
  }
}

/** Of a quiz that ends a unit: where the student goes on afterwards, and the state that takes this along. */
export function useCourseBehind() {
  const { from, course = from?.startsWith('/course/') ? from : undefined } = useRouter().history.location.state
  return { course, isBefore: course !== undefined && course === from, state: course === undefined ? {} : { course } }
}
