import { clsx } from 'clsx'
import type { CourseKind } from '#src/contract/course.ts'
import common from '#src/ui/common.module.css'
import { TRIAL_NAMES } from '../texts.ts'
import classes from './TrialMark.module.css'

/** Marks a lesson that anybody may have. */
export const TrialMark = ({ kind }: { kind: CourseKind }) => (
  <em className={clsx(common.warm, common.strong, classes.trial)}>{TRIAL_NAMES[kind]}</em>
)
