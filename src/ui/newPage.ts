import { openAnew as loadAnew, reload as loadAgain } from '#src/device/reload.ts'
import { leaveDocument } from './sheetHistory.ts'

/** The same page, made anew. */
export const reload = (): void => leaveDocument(loadAgain)

/** Another page, made anew, in the place of this one. */
export const openAnew = (path: string): void => leaveDocument(() => loadAnew(path))
