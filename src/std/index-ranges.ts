/**
 * Ascending indexes as text, such as `0-12, 15`: the first `most` stretches of them, since headers
 * are short.
 */
export function writeIndexes(indexes: readonly number[], most: number): string {
  const stretches: { readonly first: number; last: number }[] = []
  for (const index of indexes) {
    const stretch = stretches.at(-1)
    if (stretch?.last === index - 1) stretch.last = index
    else if (stretches.length === most) break
    else stretches.push({ first: index, last: index })
  }
  return stretches
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(', ')
}

/** The indexes that such a text names; what is none, or not below a bound, is left out. */
export function readIndexes(text: string, below: number): readonly number[] {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [, first, last = first] = /^ *(\d{1,6})(?:-(\d{1,6}))? *$/.exec(part) ?? []
    for (let index = Number(first); index <= Number(last) && index < below; index += 1) {
      found.add(index)
    }
  }
  return [...found].sort((a, b) => a - b)
}
