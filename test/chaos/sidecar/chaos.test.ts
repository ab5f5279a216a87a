import { expect, it } from 'vitest'
import { isLong } from '../../support/run/long.ts'
import { reportOf } from '../report.ts'
import { sidecarChaos } from './chaos.ts'

// The short forms of `npm run chaos -- --parts sidecar`: each kind once, or each side.
const short = ['kill -9 of the sidecar', 'kill -9 of the server', 'freeze of the server']
const long = [
  'kill -9 of the sidecar',
  'kill -9 of the server',
  'kill -9 while it starts of the sidecar',
  'freeze of the server',
  'SIGTERM of the sidecar',
  'kill -9 of the sidecar',
]

it('loses and doubles nothing, whichever side is killed', { timeout: 600_000 }, async () => {
  const result = await sidecarChaos({
    faults: isLong ? long : short,
    seed: 20_261,
    minutes: 5,
    senders: 2,
    progress: () => undefined,
  })
  expect(result.differences, reportOf(result)).toEqual([])
  expect(result.kills).toBe(isLong ? 4 : 2)
  expect(result.accepted).toBeGreaterThan(isLong ? 50 : 20)
})
