const loneSurrogate = /\p{Surrogate}/u

/**
 * Whether a text can be stored as it is: PostgreSQL takes no NUL, and half of a surrogate pair
 * becomes U+FFFD in UTF-8, which makes different texts equal.
 */
export const isStorable = (text: string): boolean =>
  !text.includes('\0') && !loneSurrogate.test(text)

/**
 * The text as a text column gives it back, with U+FFFD for what cannot be stored. Without this one
 * id with a NUL would stop its partition for good, or sort differently once stored.
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
