import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ingestRoute } from '../../../src/edge/ingest/ingest.ts'
import { formatInstant, instantOfMs } from '../../../src/std/instant.ts'
import type { Door } from '../../support/edge/door.ts'
import { authorized, openDoor } from '../../support/edge/door.ts'
import { ingestNeeds } from '../../support/edge/taking.ts'
import { leftBehind } from '../../support/runtime/leftovers.ts'

// Counts what moves to where only a full collection looks, not how long anything takes. A request
// that is answered should have left nothing there: what does, is copied twice on its way, and then
// marked and swept. Some requests are under way at each collection, and grow old by that.

/** Requests that are under way at once, and in all. */
const [under, requests] = [64, 20_000]
/**
 * Bytes a request. It is 31; with a hidden class of its own for one object of each request it would
 * be 145, and 850 or more with the requests under way in a `Set` (std/roster.ts).
 */
const leftMax = 80

it('leaves next to nothing behind a request that is answered', async () => {
  const door = await openDoor([ingestRoute(ingestNeeds(slowly))], null)
  await send(door, 0, requests / 4)
  const left = await leftBehind(() => send(door, requests, requests))
  // Nothing at all would mean that nothing was collected.
  expect(left).toBeGreaterThan(0)
  expect(left / requests).toBeLessThan(leftMax)
})

/** As a log that is synced to a disk. */
async function slowly(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn()
}

async function send(door: Door, first: number, count: number): Promise<void> {
  let next = first
  const answers = new Set<string>()
  await Promise.all(
    Array.from({ length: under }, async () => {
      while (next < first + count) {
        next += 1
        answers.add(await door(requestOf(next)))
      }
    }),
  )
  expect([...answers]).toEqual(['200 OK'])
}

function requestOf(index: number) {
  const event = {
    event_id: `evt_${index}_${'x'.repeat(24)}`,
    customer_id: `cus_${index % 12}`,
    event_name: 'completion.done',
    timestamp: formatInstant(instantOfMs(Date.now())),
    metadata: { model: 'large', tokens: index % 100 },
  }
  const body = new TextEncoder().encode(JSON.stringify({ events: [event] }))
  const headers = [
    ['host', '127.0.0.1:8080'],
    ['content-type', 'application/json'],
    ['content-length', `${body.length}`],
    authorized,
  ] as const
  return { method: 'post', path: '/events/ingest', headers, body }
}
