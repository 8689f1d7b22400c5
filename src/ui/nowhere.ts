/** Nothing of the screen has the focus: it has just opened, or what had it is gone. */
export const focusIsNowhere = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'main'
