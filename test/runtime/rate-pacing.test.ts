import { expect, it } from 'vitest'
import { openPacing } from '../../src/runtime/rate-pacing.ts'

const passes = (pace: Promise<void>): Promise<string> =>
  Promise.race([
    pace.then(
      () => 'passed',
      (error: { code?: string }) => `${error.code}`,
    ),
    new Promise<string>((done) => setImmediate(done, 'waits')),
  ])

it('lets a burst pass, then one now and then, of each name; refuses where too many wait', async () => {
  let at = 5_000
  const pace = openPacing({ burst: 3, everyMs: 60_000, waitingMax: 2 }, () => at)
  const asked = async (times: number, name = 'greedy') => {
    const found: string[] = []
    for (let time = 0; time < times; time += 1) found.push(await passes(pace(name)))
    return found
  }
  at += 10 * 60_000
  const waits = ['waits', 'waits', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']
  expect(await asked(7)).toEqual(['passed', 'passed', 'passed', ...waits])
  expect(await asked(1, 'other')).toEqual(['passed'])
  // A refusal costs nothing: one more place is there when one of those who wait has passed.
  at += 60_000
  expect(await asked(2)).toEqual(['waits', 'TOO_MANY_REQUESTS'])
  // And it is never more than the burst that gathers.
  at += 1_000 * 60_000
  expect(await asked(5)).toEqual(['passed', 'passed', 'passed', 'waits', 'waits'])
})

it('ends the wait when its time has come', async () => {
  const pace = openPacing({ burst: 1, everyMs: 20, waitingMax: 10 })
  await Promise.all(Array.from({ length: 5 }, () => pace('greedy')))
  expect(await passes(pace('another'))).toBe('passed')
})
