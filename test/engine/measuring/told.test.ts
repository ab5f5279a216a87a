import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { formatInstant } from '../../../src/std/instant.ts'
import { memoryLog } from '../../support/event-log/memory-log.ts'
import { measuringOn } from '../../support/measuring/measuring-on.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

it('tells readers and settling of a commit once it is there, before dedupe is told', async () => {
  const scope = await store.business()
  const customerId = await store.customer(scope)
  const log = memoryLog(1)
  const told: string[] = []
  const { step } = await measuringOn(store.db, log, {
    ...systemClock(),
    store: {
      commit: async (measured) => {
        const answer = await store.measuring.commit(measured)
        told.push(answer.kind)
        return answer
      },
    },
    onCommit: () => void told.push('readers and settling'),
    onMark: () => void told.push('dedupe'),
  })
  append()
  await step()
  expect(told).toEqual(['committed', 'readers and settling', 'dedupe'])

  function append(): void {
    const at = systemClock().now()
    const line = {
      business_id: scope.businessId,
      mode: scope.mode,
      event_id: 'one',
      customer_id: customerId,
      event_name: 'call',
      timestamp: formatInstant(at),
    }
    const value = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
    log.append({ partition: 0, value, events: 1 }, at)
  }
})
