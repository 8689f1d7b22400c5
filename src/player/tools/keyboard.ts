/** As far as a page can know: who points precisely has keys as well. */
export const hasKeyboard = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches
