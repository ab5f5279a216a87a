import { expect, it } from 'vitest'
import { isLong } from '../support/run/long.ts'
import type { ChaosResult } from './chaos.ts'
import { chaos } from './chaos.ts'
import { reportOf } from './report.ts'

// Short forms of `npm run chaos`, each kind of moment once. Telling must wait for the leases of
// the last kill of the server, so its moments come first.
const short = [
  'kill -9 when measured',
  'a greedy tenant: hang-ups',
  'the clock steps',
  'kill -9 of PostgreSQL when judged',
  'kill -9 of a connection',
]
const long = [
  'kill -9 when appended',
  'kill -9 when measured',
  'kill -9 when healing',
  'kill -9 when settled',
  'kill -9 when archiving',
  'kill -9 when adjusted',
  'a greedy tenant: catalog churn',
  'a greedy tenant: hang-ups',
  'the clock steps',
  'kill -9 while it starts',
  'kill -9',
  'kill -9, and a start with a wrong clock',
  'the clock drifts',
  'SIGTERM',
  'kill -9 of PostgreSQL when judged',
  'kill -9 of PostgreSQL',
  'kill -9 of a connection',
]

it('loses no event and doubles none, whatever is killed', { timeout: 1_200_000 }, async () => {
  const result: ChaosResult = await chaos({
    faults: isLong ? long : short,
    seed: 20_261,
    minutes: 10,
    senders: 2,
    progress: () => undefined,
  })
  expect(result.differences, reportOf(result)).toEqual([])
  expect(result.kills).toBeGreaterThanOrEqual(isLong ? 8 : 2)
  expect(result.accepted).toBeGreaterThan(100)
})
