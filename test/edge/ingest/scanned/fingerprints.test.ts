import fc from 'fast-check'
import { expect, it } from 'vitest'
import { freshOf, takingBytes } from '../../../../src/edge/ingest/scanned/take.ts'
import { timestamps } from '../../../../src/edge/ingest/timestamp.ts'
import { createFingerprinter, partitionOf } from '../../../../src/std/fingerprint.ts'
import { noon } from '../../../support/edge/test-server.ts'
import { bodyOf } from './both-paths.ts'

const partitions = 5
const fingerprinter = createFingerprinter(new Uint8Array(16).map((_, at) => at * 7))
/** The fingerprints that were asked for, by their partitions. */
let asked = new Map<number, readonly string[]>()
const take = takingBytes(
  {
    log: { partitions },
    dedupe: {
      known: async (partition, _namespace, ids) => {
        asked.set(partition, threes(ids))
        return new Uint8Array(ids.length / 3)
      },
    },
    namespaceOf: () => 'n1',
    fingerprinter,
    customers: { isKnown: () => true },
  },
  timestamps(),
)

const id = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_:-]{1,60}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(isPlain),
)
const business = fc.oneof(fc.stringMatching(/^[a-z_0-9]{1,40}$/), fc.constantFrom('é"', '\\', ''))

it('asks about the fingerprints of its ids, in their order, of whichever business in turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(id, { minLength: 1, maxLength: 40 }),
      business,
      fc.constantFrom('test' as const, 'live' as const),
      async (ids, businessId, mode) => {
        asked = new Map()
        const body = Buffer.from(bodyOf(...ids.map(eventOf)))
        const taking = take(body, { businessId, mode, at: noon })
        expect(taking && freshOf(taking.taken, await taking.known).fresh).toBe(ids.length)
        const words = fingerprinter.identities(businessId, mode, ids)
        const wanted = new Map<number, string[]>()
        for (let at = 0; at < words.length; at += 4) {
          const partition = partitionOf(words[at + 3] ?? 0, partitions)
          const prints = threes(words.subarray(at, at + 3))
          wanted.set(partition, [...(wanted.get(partition) ?? []), ...prints])
        }
        expect(new Map([...asked].sort())).toEqual(new Map([...wanted].sort()))
      },
    ),
  )
})

/** Bytes that stand in JSON as they are. */
function isPlain(text: string): boolean {
  return JSON.stringify(text) === `"${text}"`
}

const eventOf = (text: string): string =>
  `{"event_id":"${text}","customer_id":"c","event_name":"n"}`

const threes = (words: Uint32Array): readonly string[] =>
  Array.from({ length: words.length / 3 }, (_, at) => words.subarray(at * 3, at * 3 + 3).join())
