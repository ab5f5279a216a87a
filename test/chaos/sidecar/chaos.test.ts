import { expect, it } from 'vitest'
import { reportOf } from '../report.ts'
import { sidecarChaos } from './chaos.ts'

// The short form of `npm run chaos -- --parts sidecar`: each kind once.
const faults = [
  'kill -9 of the sidecar',
  'kill -9 of the server',
  'kill -9 while it starts of the sidecar',
  'freeze of the server',
  'SIGTERM of the sidecar',
  'kill -9 of the sidecar',
]

it('loses and doubles nothing, whichever side is killed', { timeout: 600_000 }, async () => {
  const result = await sidecarChaos({
    faults,
    seed: 20_261,
    minutes: 5,
    senders: 2,
    progress: () => undefined,
  })
  expect(result.differences, reportOf(result)).toEqual([])
  expect(result.kills).toBe(4)
  expect(result.accepted).toBeGreaterThan(50)
})
