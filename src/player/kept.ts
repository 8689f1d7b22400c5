import { PAD } from '#src/offline/names.ts'

/** What a batch is dealt by, apart from the tools that come later: '1' while options are to be shuffled. */
export const SHUFFLE = 'jk-shuffle'
/** Where a batch's drawings are kept: they go when it goes. */
export const padKey = (draftKey: string): string => PAD + draftKey
