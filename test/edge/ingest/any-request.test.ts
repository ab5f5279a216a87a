import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatInstant } from '../../../src/std/instant.ts'
import { noon } from '../../support/edge/test-server.ts'
import { runs } from '../../support/run/runs.ts'
import { event, ingest, log, serveEdge } from './setup.ts'

serveEdge()

it('stores every event of any valid requests exactly once, as it was sent', async () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.maxSafeInteger(),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
  )
  const metadata = fc.dictionary(
    fc.oneof(fc.string({ maxLength: 10 }), fc.constantFrom('__proto__', 'constructor')),
    fc.oneof(
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      fc.dictionary(fc.string(), leaf, { maxKeys: 2 }),
    ),
    { maxKeys: 5 },
  )
  const fields = fc.record(
    {
      customer_id: fc
        .string({ unit: 'grapheme', maxLength: 20 })
        .map((id) => `cus${id.replaceAll('\0', '')}`),
      event_name: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
        .map((name) => `n${name.replaceAll('\0', '')}`),
      metadata: fc.option(metadata),
    },
    { requiredKeys: ['customer_id', 'event_name'] },
  )
  const requests = fc.array(fc.array(fields, { minLength: 1, maxLength: 30 }), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(requests, async (batches) => {
      log.clear()
      const sent = batches.map((events) => events.map((one) => event(one)))
      const answers = await Promise.all(sent.map((events) => ingest(...events)))
      expect(answers.map(({ body }) => body)).toEqual(
        sent.map(({ length }) => ({ ingested_count: length })),
      )
      const stamped = { business_id: 'bus_1', mode: 'test', timestamp: formatInstant(noon) }
      const expected = sent.flat().map((one) => JSON.parse(JSON.stringify({ ...stamped, ...one })))
      const byId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
        String(a['event_id']) < String(b['event_id']) ? -1 : 1
      expect(log.lines().toSorted(byId)).toEqual(expected.toSorted(byId))
    }),
    runs(30),
  )
})
