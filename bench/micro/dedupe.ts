import { createGenerations } from '../../src/parts/dedupe/embedded/generations.ts'
import { segmentBytes } from '../../src/parts/dedupe/embedded/table.ts'
import { hour } from '../../src/std/instant.ts'
import { seed, seeded } from '../harness/random.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { MicroSize } from './run.ts'
import { asChild, fastest } from './run.ts'

/**
 * Goals: at most 1 µs of CPU per id and pass, and 12 bytes per id, with three full generations
 * after another one; an installation's first generation cannot know how large it will get.
 */
export function benchDedupe(size: MicroSize): Result {
  const [count, rounds] = size === 'full' ? [200_000, 5] : [2_000, 1]
  const bytes = [0, 0, 0, 0]
  const generations = createGenerations({
    windowUs: 24 * hour,
    newest: null,
    announce: (generation, segment) => {
      bytes[generation] = (bytes[generation] ?? 0) + segmentBytes(segment)
    },
    dropped: () => undefined,
  })
  const random = seeded(seed)
  const words = Uint32Array.from({ length: count * 15 }, () => random() * 4_294_967_296)
  const lines: Line[] = []
  let adding = 0
  for (let generation = 0; generation < 4; generation += 1) {
    generations.advance(generation)
    const ids = words.subarray(generation * count * 3, (generation + 1) * count * 3)
    const from = performance.now()
    for (let at = 0; at < ids.length; at += 3_000) {
      generations.add(generation, ids.subarray(at, at + 3_000))
    }
    adding += performance.now() - from
  }
  lines.push({ label: 'add', figures: [figure('time', (adding * 1e6) / (count * 4), 'ns')] })
  let found = 0
  for (const [label, from] of [
    ['look up, known', count * 3],
    ['look up, unknown', count * 12],
  ] as const) {
    const ids = words.subarray(from, from + count * 3)
    found += generations.known(ids).reduce((sum, one) => sum + one, 0)
    const cost = fastest(rounds, count, () => void generations.known(ids))
    lines.push({ label, figures: [figure('time', cost, 'ns')] })
  }
  const [first = 0, ...later] = bytes
  const perId = later.reduce((sum, one) => sum + one, 0) / generations.count()
  const memory = [
    figure('an id', perId, 'bytes'),
    figure('of a first generation', first / count, 'bytes'),
  ]
  return {
    name: 'micro: dedupe',
    lines: [...lines, { label: 'memory', figures: memory }],
    goals: [],
    checksum: `${generations.count()} ids, ${found} found`,
  }
}

await asChild(import.meta.url, benchDedupe)
