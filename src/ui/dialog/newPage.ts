import { openAnew as loadAnew, reload as loadAgain } from '#src/device/reload.ts'
import { leaveDocument } from './sheetHistory.ts'

/** Makes the same page anew. */
export const reload = (): void => leaveDocument(loadAgain)

/** Makes another page in the place of this one. */
export const openAnew = (path: string): void => leaveDocument(() => loadAnew(path))
