/**
 * JSON that jsonb takes: NUL and half a surrogate pair, such as an emoji cut at a length limit, become U+FFFD. Left in, one
 * such text would fail its whole batch, at every attempt, and nothing of this student would ever be synced again.
 * `JSON.stringify` escapes exactly these two; a pair of backslashes is matched so that the text `\\u0000` stays.
 */
export const storable = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(?:\\|u0000|ud[89a-f][\da-f]{2})/g, (found) => (found === '\\\\' ? found : '\uFFFD'))
