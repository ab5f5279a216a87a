import { expect, it } from 'vitest'
import { describeWith } from '../support/servers/describe-with.ts'
import type { ChaosResult } from './chaos.ts'
import { distributedChaos } from './distributed/chaos.ts'
import { groundMissing } from './distributed/ground.ts'
import { reportOf } from './report.ts'

// The short form of `npm run chaos -- --parts distributed`: strikes each thing that can be struck,
// and some of them at the same time.
const faults = [
  'kill -9 of a process (http)',
  'cut of connections to Kafka',
  'flush of Redis',
  'kill -9 when measured',
  'kill -9 of PostgreSQL',
  'kill -9 when announced',
  'kill -9 of Redis, keys lost',
  'kill -9 of a broker',
  'a greedy tenant: catalog churn',
  'a greedy tenant: deep pages',
  'a process more or fewer (billing)',
  'SIGTERM (http)',
  'cut of connections to PostgreSQL',
  'stall of connections to Kafka',
]

describeWith(groundMissing, 'several processes on servers that break', () => {
  it('lose no event and double none', { timeout: 2_400_000 }, async () => {
    const result: ChaosResult = await distributedChaos({
      faults,
      faultsPerRound: faults.length,
      redis: 'sentinel',
      seed: 20_261,
      minutes: 20,
      senders: 2,
      progress: () => undefined,
    })
    expect(result.differences, reportOf(result)).toEqual([])
    expect([...result.faults.values()].reduce((sum, times) => sum + times, 0)).toBe(faults.length)
    expect(result.accepted).toBeGreaterThan(100)
  })
})
