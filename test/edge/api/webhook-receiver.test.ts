import { expect, it } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { after, hour } from '../../../src/std/instant.ts'
import { gapsOfManual } from '../../support/webhooks/gaps.ts'
import { numbersOf, oneEndpoint } from '../../support/webhooks/one-endpoint.ts'
import type { Respond } from '../../support/webhooks/receiver.ts'
import { answer } from '../../support/webhooks/receiver.ts'
import { over, telling } from '../../support/webhooks/telling.ts'

const suite = telling()
const { started, settled } = suite
const endpoint = oneEndpoint(suite)

const drop: Respond = (_request, _response, raw) => void raw.socket.destroy()
const late: Respond = (request, response, raw) =>
  void setTimeout(() => answer(200)(request, response, raw), 200)
const behaviours = [late, drop, answer(500)]

it('is shown by its numbers what it lacks, and that it has everything after a recovery', async () => {
  const { gaps } = gapsOfManual()
  const taken = new Set<number>()
  const missed: number[] = []
  let isBack = false
  // It stands, an hour ahead: nothing is tried again by itself.
  const at = after(systemClock().now(), hour)
  const clock = { ...systemClock(), now: () => at }
  const one = await endpoint((request, response, raw) => {
    const [sequence] = numbersOf(request)
    const behaviour = isBack ? late : (behaviours[sequence % 3] ?? late)
    if (behaviour === late) {
      taken.add(sequence)
      missed.splice(0, missed.length, ...gaps(request.headers, isBack ? 3e6 : sequence))
    }
    return behaviour(request, response, raw)
  }, clock)
  started({ clock })
  // One after the other, so that its last one comes, and shows what did not.
  for (let count = 1; count <= 9; count += 1) {
    await one.books.facts(1)
    await settled((all) => all.length === count && all.every(({ attempts }) => attempts > 0))
  }
  expect([...taken]).toEqual([3, 6, 9])
  isBack = true
  const { body } = await one.call(`POST ${one.path}/recover`, { since: '2020-01-01T00:00:00Z' })
  expect(body).toMatchObject({ recovered: 6, remaining: 0 })
  await settled(over)
  expect([...taken].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(missed).toEqual([])
  await one.books.facts(1)
  await settled((all) => all.length === 10 && over(all))
  expect([taken.size, missed]).toEqual([10, []])
})
