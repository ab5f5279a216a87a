/** A name of which `wanted` may have been meant, among those that nobody knows; null: none. */
export function nearMiss(
  wanted: string,
  given: readonly string[],
  known: ReadonlySet<string>,
): string | null {
  for (const name of given.slice(0, namesMax)) {
    if (!known.has(name) && howNear(name, wanted) !== null) return name
  }
  return null
}

/**
 * The one of `wanted` that an unknown name is nearest to; null: it is near none. Of short names
 * the first letter must be right: `mode` is no misspelling of `code`.
 */
export function nearestTo(name: string, wanted: readonly string[]): string | null {
  let [nearest, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const each of wanted) {
    const off = howNear(name, each)
    const begins = each.length > shortMax || each[0] === name[0]?.toLowerCase()
    if (off === null || off >= least || !begins) continue
    ;[nearest, least] = [each, off]
  }
  return nearest
}

const shortMax = 5

/** By how many slips `name` is off; null: by too many to be meant. */
function howNear(name: string, wanted: string): number | null {
  if (!/^[\w-]{1,100}$/.test(name)) return null
  const plain = plainOf(wanted)
  const off = distance(plainOf(name), plain)
  return off <= Math.min(2, Math.floor(plain.length / 3)) ? off : null
}

/** A body may hold any number of names: so many are looked at. */
const namesMax = 100

/** `customerId`, `Customer-ID` and `customer_id` are one name to people. */
const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** Letters to put in, take out, change, or swap with their neighbour (Damerau, restricted). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (before[j - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY
      row.push(Math.min(changed, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
