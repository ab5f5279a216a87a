/** One number of a line. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
}

/** One thing that was measured, with its numbers. Lines of one result share a table. */
export interface Line {
  readonly label: string
  readonly figures: readonly Figure[]
}

/** A number that the design demands. [bench/README.md#what-is-measured] */
export interface Goal {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly target: number
  /** Whether more is better, as with a ratio, or less, as with a time. */
  readonly better: 'more' | 'less'
}

export interface Result {
  readonly name: string
  readonly lines: readonly Line[]
  readonly goals: readonly Goal[]
  /**
   * What must be the same in every run with the same seed and size; otherwise the bench does
   * something else.
   */
  readonly checksum: string
}

export const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit })

export const isMet = ({ better, target, value }: Goal): boolean =>
  better === 'more' ? value >= target : value <= target

/** Of an odd number of values the middle one, else the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2)]
  return ((sorted[low] ?? Number.NaN) + (sorted[high] ?? Number.NaN)) / 2
}

/** The smallest value that `share` of all are not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
