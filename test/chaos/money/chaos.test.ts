import { expect, it } from 'vitest'
import { isLong } from '../../support/run/long.ts'
import { reportOf } from '../report.ts'
import { moneyChaos } from './chaos.ts'

// The short form of `npm run chaos -- --parts money`.
const first = ['kill -9 right after a commit', 'kill -9 of it and of PostgreSQL']
const faults = isLong ? [...first, 'kill -9'] : first

it('loses and makes no money, wherever a process is killed', { timeout: 600_000 }, async () => {
  const result = await moneyChaos({
    faults,
    seed: 20_262,
    minutes: 5,
    senders: 3,
    progress: () => undefined,
  })
  expect(result.differences, reportOf(result)).toEqual([])
  expect(result.kills).toBe(faults.length)
  expect(result.money?.payments).toBeGreaterThan(10)
})
