import { expect, it } from 'vitest'
import { formatInstant } from '../../../../src/std/instant.ts'
import { noon } from '../../../support/edge/test-server.ts'
import { bodyOf, take } from './both-paths.ts'

// Counts what is allocated, not how long it takes. A round in which the collector runs looks cheap,
// and the first ones, before the compiler has seen them, dear; all others are alike, so the median
// counts: some 170 bytes an event, half of them the pieces and questions of a request.
const [rounds, requests, events] = [31, 20, 100]

/** An event that becomes values and texts takes some 2 000. */
const bytesMax = 300

it('makes no objects of events: a request allocates, an event hardly does', async () => {
  const receipt = { businessId: 'bus_1', mode: 'test', at: noon } as const
  const bodies = Array.from({ length: requests }, (_, request) =>
    Buffer.from(bodyOf(...Array.from({ length: events }, (_, index) => eventOf(request, index)))),
  )
  const taken: number[] = []
  let isWhole = true
  for (let round = 0; round < rounds; round += 1) {
    const before = process.memoryUsage().heapUsed
    for (const body of bodies) isWhole &&= (await take(body, receipt)) !== null
    taken.push((process.memoryUsage().heapUsed - before) / (requests * events))
  }
  expect(isWhole).toBe(true)
  const median = taken.sort((a, b) => a - b)[rounds >> 1]
  expect(median).toBeGreaterThan(0)
  expect(median).toBeLessThan(bytesMax)
})

const eventOf = (request: number, index: number): string =>
  JSON.stringify({
    event_id: `evt_${request}_${index}_${'x'.repeat(24)}`,
    customer_id: `cus_${index % 12}`,
    event_name: 'completion.done',
    timestamp: formatInstant(noon),
    metadata: { model: 'large', tokens: 100 + index, request: 'r'.repeat(40) },
  })
