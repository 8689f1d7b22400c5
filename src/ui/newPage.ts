import { leaveDocument } from './sheetHistory.ts'

/** The same page, made anew. */
export const reload = (): void => leaveDocument(() => window.location.reload())

/** Another page, made anew, in the place of this one. */
export const openAnew = (path: string): void => leaveDocument(() => window.location.replace(path))
