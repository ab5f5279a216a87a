import { expect, it } from 'vitest'
import { openStrangers } from '../../../src/edge/http/strangers.ts'
import { limits } from '../../../src/limits.ts'

const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** How long after the beginning of a slice somebody waits who comes when it is used up, in ms. */
async function rest(strangers: ReturnType<typeof openStrangers>): Promise<number> {
  await strangers.wait('one')
  const since = performance.now()
  work(limits.strangerSliceMs + 1)
  await strangers.wait('one')
  return performance.now() - since
}

it('rests for longer once many in a row were guesses, and no longer after one good key', async () => {
  const strangers = openStrangers()
  const guess = (times: number) => {
    for (let time = 0; time < times; time += 1) strangers.turnedOut(false)
  }
  guess(limits.guessesInARow)
  expect(await rest(strangers)).toBeGreaterThan(limits.guessingRestMs)
  strangers.turnedOut(true)
  guess(limits.guessesInARow - 1)
  const rests: number[] = []
  for (let time = 0; time < 10; time += 1) rests.push(await rest(strangers))
  expect(Math.min(...rests)).toBeLessThan(limits.guessingRestMs)
})
