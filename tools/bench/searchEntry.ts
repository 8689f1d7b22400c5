/** What search.ts runs in a page. */
export { createIndex } from '#src/search/engine.ts'
export { docOf } from '#src/search/text.ts'
