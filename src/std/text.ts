const loneSurrogate = /\p{Surrogate}/u

/**
 * Whether a text survives being stored: PostgreSQL takes no NUL, and half of a surrogate pair
 * becomes U+FFFD in UTF-8, which makes two different texts one.
 */
export const isStorable = (text: string): boolean =>
  !text.includes('\0') && !loneSurrogate.test(text)

/**
 * The text as a text column gives it back: what cannot be stored is U+FFFD. One id with a NUL would
 * otherwise stop its partition for good, or sort differently once stored.
 */
export const storable = (text: string): string =>
  isStorable(text) ? text : text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')

/** Whether a text has at most `max` Unicode characters (code points), however it is encoded. */
export function fitsCharacters(text: string, max: number): boolean {
  if (text.length <= max) return true
  if (text.length > 2 * max) return false
  let count = 0
  for (const _ of text) count += 1
  return count <= max
}
