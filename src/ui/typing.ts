/** The keys belong to what has the focus: text is typed there, a recording is played, or a dialog is open. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=radio]):not([type=checkbox]), textarea, select, audio, dialog, [contenteditable]') !==
    null
