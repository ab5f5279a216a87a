import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import { loadHttpEngine } from '../../../src/edge/http/uws.ts'
import { knownCustomers } from '../../../src/edge/ingest/customers.ts'
import { ingestRoute } from '../../../src/edge/ingest/ingest.ts'
import { packer } from '../../../src/edge/ingest/packer.ts'
import { Fault } from '../../../src/faults.ts'
import { hour } from '../../../src/std/instant.ts'
import { memoryDedupe, testFingerprinter } from '../../support/dedupe/memory-dedupe.ts'
import type { TestServer } from '../../support/edge/test-server.ts'
import { bearer, keys, manualClock, testServer } from '../../support/edge/test-server.ts'
import { memoryEventLog } from '../../support/event-log/memory-event-log.ts'

export const log = memoryEventLog()
export const dedupe = memoryDedupe()
export const budget = byteBudget(64 * 1024 * 1024)
export const counted = new Map<string, number>()
/** What tests change of the world around the edge. */
export const world: {
  storeGone: boolean
  namespace: string | null
} = {
  storeGone: false,
  namespace: 'n1',
}
export const answered: number[] = []
export let at: TestServer

const customers = knownCustomers({
  async existing(_businessId, _mode, ids) {
    if (world.storeGone) throw new Fault('UNAVAILABLE', 'Away.', { retryAfterSeconds: 1 })
    return new Set(ids.filter((id) => id.startsWith('cus')))
  },
})

/** Serves a test file's requests, and gives each test the world as it was. */
export function serveEdge(): void {
  beforeAll(async () => {
    const clock = manualClock()
    const route = ingestRoute({
      log,
      packer: packer({ log, budget, clock, appended: () => undefined }),
      dedupe,
      namespaceOf: () => world.namespace,
      fingerprinter: testFingerprinter,
      customers,
      backfillMax: 23 * hour,
      metrics: {
        request: (status) => void answered.push(status),
        events: (result, count) => void counted.set(result, (counted.get(result) ?? 0) + count),
      },
    })
    at = await testServer(loadHttpEngine(), [route], { clock, budget })
  })

  beforeEach(() => {
    log.clear()
    counted.clear()
    answered.splice(0)
    world.storeGone = false
    world.namespace = 'n1'
  })

  afterAll(() => at.server.stop(1_000))
}

let serial = 0
export const event = (changes: Record<string, unknown> = {}): Record<string, unknown> => {
  serial += 1
  return { event_id: `evt_${serial}`, customer_id: 'cus_1', event_name: 'call', ...changes }
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export async function send(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const answer = await fetch(`${at.url}/events/ingest`, {
    method: 'POST',
    headers: { ...bearer(keys.write), 'Content-Type': 'application/json', ...headers },
    body,
  })
  const { status } = answer
  return { status, headers: answer.headers, body: await answer.json() } as Answered
}

export const ingest = (...events: readonly unknown[]) => send(JSON.stringify({ events }))

/** Refused, with this; and nothing stored, and the next request served. */
export async function expectRefusal(
  answer: Promise<Answered>,
  status: number,
  code: string,
  says: string,
) {
  const { body, headers, status: actual } = await answer
  expect({ status: actual, ...body }).toMatchObject({ status, code })
  expect(body['message']).toContain(says)
  expect(headers.get('x-should-retry')).toBe('false')
  expect(headers.has('sluice-position')).toBe(false)
  expect(log.lines()).toEqual([])
  expect((await ingest(event())).status).toBe(200)
  log.clear()
}
