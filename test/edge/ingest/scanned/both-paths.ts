import { expect } from 'vitest'
import { parseJson } from '../../../../src/edge/http/json.ts'
import { parse } from '../../../../src/edge/http/parse.ts'
import {
  inspect,
  refuseOutsideWindow,
  refuseOversize,
  refuseRepeated,
} from '../../../../src/edge/ingest/inspect.ts'
import { linesOf } from '../../../../src/edge/ingest/lines.ts'
import type { Piece } from '../../../../src/edge/ingest/packer.ts'
import type { Receipt } from '../../../../src/edge/ingest/scanned/assembly.ts'
import type { TakenEvents } from '../../../../src/edge/ingest/scanned/take.ts'
import { freshOf, takingBytes } from '../../../../src/edge/ingest/scanned/take.ts'
import { timestamps } from '../../../../src/edge/ingest/timestamp.ts'
import { Fault } from '../../../../src/faults.ts'
import { limits } from '../../../../src/limits.ts'
import { createFingerprinter, partitionOf } from '../../../../src/std/fingerprint.ts'
import { usageEventIngestParams } from '../../../../src/wire/usage-event.ts'
import { noon } from '../../../support/edge/test-server.ts'

const partitions = 4
const fingerprinter = createFingerprinter(new Uint8Array(16).fill(9))
const clockwork = timestamps()
const receipt = { businessId: 'bus_"1"', mode: 'test', at: noon } as const
/** Every fifth id, by its hash, is measured already. */
const isKnown = (lo: number): boolean => lo % 5 === 0
/** Customers that begin with x are not known. */
const exists = (id: string): boolean => !id.startsWith('x')

const takeBytes = takingBytes(
  {
    log: { partitions },
    dedupe: {
      known: async (_partition, _namespace, ids) =>
        Uint8Array.from({ length: ids.length / 3 }, (_, at) =>
          isKnown(ids[at * 3 + 1] ?? 0) ? 1 : 0,
        ),
    },
    // One partition has no namespace yet: nothing of it is filtered.
    namespaceOf: (partition) => (partition === 3 ? null : 'n1'),
    fingerprinter,
    customers: { isKnown: (_scope, id) => exists(id) },
  },
  timestamps(),
)

/** A body, once it is known which of its events are measured; null: it is for the parser. */
export async function take(bytes: Buffer, of: Receipt): Promise<TakenEvents | null> {
  const taking = takeBytes(bytes, of)
  return taking === null ? null : freshOf(taking.taken, await taking.known)
}

interface Outcome {
  readonly events: number
  readonly fresh: number
  /** The lines of each partition, in order. */
  readonly lines: Readonly<Record<number, string>>
}

/** What the parser's path makes of a body; throws its refusal. */
function parsed(bytes: Buffer): Outcome {
  const { events } = parse(usageEventIngestParams, parseJson(bytes))
  const inspected = inspect(events, noon, clockwork)
  const words = fingerprinter.identities(receipt.businessId, receipt.mode, inspected.ids)
  const own = Uint32Array.from(events, (_, at) => partitionOf(words[at * 4 + 3] ?? 0, partitions))
  const fresh = [...events.keys()].filter((at) => own[at] === 3 || !isKnown(words[at * 4 + 1] ?? 0))
  const stranger = fresh.find((at) => !exists(events[at]?.customer_id ?? ''))
  if (stranger !== undefined) throw new Fault('NOT_FOUND', 'There is no such customer.')
  refuseRepeated(inspected.ids)
  refuseOversize(inspected, fresh)
  refuseOutsideWindow(inspected, fresh, { at: noon, ageMax: limits.eventAgeMax })
  const context = { ...receipt, partitions: own, timestamps: clockwork }
  const pieces = linesOf(events, inspected, fresh, context)
  return { events: events.length, fresh: fresh.length, lines: linesIn(pieces) }
}

function linesIn(pieces: readonly Piece[]): Outcome['lines'] {
  const lines: Record<number, string> = {}
  for (const { bytes, events, partition } of pieces) {
    const text = Buffer.from(bytes).toString('latin1')
    expect(text.split('\n').length - 1).toBe(events)
    lines[partition] = (lines[partition] ?? '') + text
  }
  return lines
}

/** Whether the scanner took it; and if so, that the other path takes it, and stores the same. */
export async function isTaken(body: string | Buffer): Promise<boolean> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const taken = await take(bytes, receipt)
  if (taken === null) return false
  const { events, fresh, pieces } = taken
  expect({ events, fresh, lines: linesIn(pieces) }).toEqual(parsed(bytes))
  return true
}

/** An id that is not measured yet. */
export const freshId = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].find((id) => {
  const [, lo = 0] = fingerprinter.identity(receipt.businessId, receipt.mode, id)
  return !isKnown(lo)
})
export const bodyOf = (...events: readonly string[]): string => `{"events":[${events.join(',')}]}`
export const withMetadata = (metadata: string): string =>
  bodyOf(`{"event_id":"${freshId}","customer_id":"c","event_name":"n","metadata":${metadata}}`)
