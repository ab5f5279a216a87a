import { createFingerprinter } from '../../src/std/fingerprint.ts'
import { seed, seeded } from '../harness/random.ts'
import type { Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { MicroSize } from './run.ts'
import { asChild, fastest } from './run.ts'

/** What a fingerprint of a 36-character id costs; edge and measuring each compute one per event. */
export function benchFingerprint(size: MicroSize): Result {
  const [count, rounds] = size === 'full' ? [1_000, 500] : [100, 3]
  const random = seeded(seed)
  const ids = Array.from({ length: count }, () =>
    Array.from({ length: 36 }, () => Math.floor(random() * 36).toString(36)).join(''),
  )
  const fingerprinter = createFingerprinter(new Uint8Array(16).fill(7))
  const prints = fingerprinter.fingerprints('bus_bench', 'live', ids)
  const checksum = prints.reduce((sum, word) => (sum + word) >>> 0, 0)
  const cost = fastest(rounds, count, () => {
    fingerprinter.fingerprints('bus_bench', 'live', ids)
  })
  return {
    name: 'micro: fingerprint',
    lines: [{ label: 'an id of 36 characters', figures: [figure('time', cost, 'ns')] }],
    goals: [],
    checksum: checksum.toString(16),
  }
}

await asChild(import.meta.url, benchFingerprint)
