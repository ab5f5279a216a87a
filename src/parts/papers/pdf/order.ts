import { createRequire } from 'node:module'

export type Direction = 'ltr' | 'rtl'

/** How deep each UTF-16 unit of a text lies in text of the other direction; odd: right to left. */
export interface Levels {
  readonly levels: Uint8Array
  readonly paragraphs: readonly { readonly level: number }[]
}

// bidi-js: the Unicode Bidirectional Algorithm. This is the only import of it.
const bidi = (createRequire(import.meta.url)('bidi-js') as () => BidiJs)()

/** As much of it as papers need: its own types are those of an ES module, which it is not. */
interface BidiJs {
  getEmbeddingLevels(text: string, direction: Direction | 'auto'): Levels
  getMirroredCharacter(character: string): string | null
}

/** A text without letters of any direction goes as its page does. */
export const levelsOf = (text: string, direction: Direction): Levels =>
  bidi.getEmbeddingLevels(text, strong.test(text) ? 'auto' : direction)

export const directionOf = ({ paragraphs }: Levels): Direction =>
  (paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'

const strong = /\p{L}/u

/** What has one level stands together. Answers the pieces from left to right, as they are seen. */
export function fromLeft<Piece extends { readonly level: number }>(
  pieces: readonly Piece[],
): readonly Piece[] {
  const seen = [...pieces]
  const levels = seen.map(({ level }) => level)
  const deepest = Math.max(0, ...levels)
  // [UAX #9, L2]: from the deepest level to the lowest odd one, what is at least as deep turns.
  for (let level = deepest; level > 0; level -= 1) {
    let from = 0
    while (from < seen.length) {
      let to = from
      while (to < seen.length && (seen[to]?.level ?? 0) >= level) to += 1
      if (to > from) seen.splice(from, to - from, ...seen.slice(from, to).reverse())
      from = Math.max(to, from) + 1
    }
  }
  return seen
}

/** A parenthesis that opens on the left opens on the right where the text goes the other way. */
export const mirrored = (character: string): string =>
  bidi.getMirroredCharacter(character) ?? character
