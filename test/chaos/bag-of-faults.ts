import type { Random } from './random.ts'

interface Weighed {
  readonly name: string
  /** How often it is in a bag of faults. */
  readonly weight: number
}

interface Drawing {
  readonly random: Random
  readonly count: number
}

/**
 * Random faults from a shuffled bag that holds each by its weight; when it is empty, from a new
 * one.
 */
export function* randomFaults<Fault extends Weighed>(
  faults: readonly Fault[],
  { random, count }: Drawing,
): Generator<Fault> {
  const all = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault))
  for (let left = count; left > 0; ) {
    const bag = random.shuffled(all).slice(0, left)
    yield* bag
    left -= bag.length
  }
}

/** The faults of these names, in this order. */
export function faultsNamed<Fault extends Weighed>(
  faults: readonly Fault[],
  names: readonly string[],
): readonly Fault[] {
  return names.map((name) => {
    const found = faults.find((fault) => fault.name === name)
    if (found === undefined) throw new Error(`There is no fault '${name}'.`)
    return found
  })
}
