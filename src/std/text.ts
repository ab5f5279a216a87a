const loneSurrogate = /\p{Surrogate}/u

/**
 * Whether a text survives being stored: PostgreSQL takes no NUL, and half of a surrogate pair
 * becomes U+FFFD in UTF-8, which makes two different texts one.
 */
export const isStorable = (text: string): boolean =>
  !text.includes('\0') && !loneSurrogate.test(text)

/** Whether a text has at most `max` Unicode characters (code points), however it is encoded. */
export function fitsCharacters(text: string, max: number): boolean {
  if (text.length <= max) return true
  if (text.length > 2 * max) return false
  let count = 0
  for (const _ of text) count += 1
  return count <= max
}
