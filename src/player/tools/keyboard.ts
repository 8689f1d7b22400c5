/** A page can only guess: whoever points precisely has keys as well. */
export const hasKeyboard = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches
