import { PAD } from '#src/offline/device/names.ts'

/** What a batch is dealt by, apart from the tools that come later: '1' while options are to be shuffled. */
export const SHUFFLE = 'jk-shuffle'
/** Where what was drawn over a question is kept, whatever batch it stands in. */
export const padKey = (questionNo: string): string => PAD + questionNo
