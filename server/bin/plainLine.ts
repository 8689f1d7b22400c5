/** Students and teachers write some of what a command prints: nothing of theirs begins a line, or steers the terminal. */
export const plainLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
