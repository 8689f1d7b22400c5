import { CorrectionBar } from './CorrectionBar.tsx'
import { RepliesBar } from './RepliesBar.tsx'

/** Of corrected answers, and of replies to 纠错. */
export const NewsBars = () => (
  <>
    <CorrectionBar />
    <RepliesBar />
  </>
)
