import type { Figure } from '../harness/result.ts'
import { figure, median } from '../harness/result.ts'
import type { Size } from '../harness/sizes.ts'
import type { Target, Turns } from './turns.ts'
import { shapes, turnOf } from './turns.ts'

const shares = [0.5, 0.8] as const

/** How late answers come at half and at four fifths of what each target has just sustained. */
export interface AtRate {
  of(target: string, batch: number): readonly Figure[]
}

/** Open-loop: requests leave at an even rate, and each counts from when it was due. */
export async function latenciesOf(
  targets: readonly Target[],
  turns: Turns,
  size: Size,
): Promise<AtRate> {
  const found = new Map<string, readonly Figure[]>()
  for (const shape of shapes) {
    for (const target of targets) {
      const { batch } = shape
      const { name } = target
      const capacity = median(turns.of(name, batch).map((turn) => turn.eventsPerSecond))
      const figures: Figure[] = []
      for (const share of shares) {
        const idPrefix = `at${share * 100}x${name}x${batch}`
        // Enough that a slow moment does not use them all up.
        const connections = 4 * shape.connections
        const load = { batch, connections, idPrefix, rate: capacity * share }
        const { p50Ms, p99Ms } = await turnOf(target, size, load)
        figures.push(figure(`p50 at ${share * 100} %`, p50Ms, 'ms'), figure('p99', p99Ms, 'ms'))
      }
      found.set(`${name} ${batch}`, figures)
    }
  }
  return { of: (target, batch) => found.get(`${target} ${batch}`) ?? [] }
}
