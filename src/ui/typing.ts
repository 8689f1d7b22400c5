/** The keys belong to what has the focus: text is typed there, or a dialog is open. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=radio]):not([type=checkbox]), textarea, select, dialog, [contenteditable]') !== null
