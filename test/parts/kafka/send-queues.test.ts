import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import type { Sending } from '../../../src/parts/kafka/client/send-queues.ts'
import { openSendQueues } from '../../../src/parts/kafka/client/send-queues.ts'

const nothing = (): void => undefined
const call: Sending = { over: false, left: 1, place: 0, stored: nothing, fail: nothing }
const record = { key: null, value: Buffer.alloc(0), headers: [] }
const size = limits.kafkaBatchBytesMax / 4

/** How many parcels of a quarter of the usual bound one load takes. */
function parcelsOf(queues: ReturnType<typeof openSendQueues>): number {
  for (let index = 0; index < 8; index += 1) queues.add(0, { record, bytes: size, call, index })
  const count = queues.load([0])[0]?.parcels.length ?? 0
  while (queues.load([0]).length > 0);
  return count
}

describe('loads for Kafka', () => {
  it('are halved when one is too large, and grow back when enough were stored', () => {
    const queues = openSendQueues()
    expect(parcelsOf(queues)).toBe(4)
    queues.shrink()
    queues.shrink()
    expect(parcelsOf(queues)).toBe(1)
    for (let load = 1; load < limits.kafkaGrowAfter; load += 1) queues.stored()
    expect(parcelsOf(queues)).toBe(1)
    queues.stored()
    expect(parcelsOf(queues)).toBe(2)
    for (let load = 0; load < 2 * limits.kafkaGrowAfter; load += 1) queues.stored()
    expect(parcelsOf(queues)).toBe(4)
  })

  it('begin to count anew with every one that is too large', () => {
    const queues = openSendQueues()
    queues.shrink()
    for (let load = 1; load < limits.kafkaGrowAfter; load += 1) queues.stored()
    queues.shrink()
    queues.stored()
    expect(parcelsOf(queues)).toBe(1)
  })
})
