/** How a student can study anything. */
export const MODES = ['practice', 'exam', 'recite'] as const
export type StudyMode = (typeof MODES)[number]
export const MODE_NAMES: Record<StudyMode, string> = { practice: '即时反馈', exam: '交卷后看', recite: '背题' }
