/** A gap to be filled, as bracketed spaces of whatever width. Nothing but spaces: f() is a formula. */
const GAP = /([（(])(?:\s|&nbsp;|&emsp;|&ensp;)+([）)])/g

/** A gap stays whole at the end of a line: its spaces are of the kind that does not break. Takes text and HTML. */
export const holdGaps = (text: string): string => text.replace(GAP, '$1\u00A0\u00A0$2')
