import { limits } from '../../../limits.ts'
import type { Instant } from '../../../std/instant.ts'
import { instantOf, instantOfMs } from '../../../std/instant.ts'
import type { EventsTrace } from '../../../std/trace.ts'
import { readTraces, writeTraces } from '../../../std/trace.ts'
import type { InRecord, OutRecord } from '../../kafka/protocol/record-batch.ts'
import type { LogRecord, NewRecord, Partition } from '../port.ts'

/**
 * A record at rest: its value is the NDJSON itself, so that anyone can read the topic. The header
 * `version` is the version of this layout, `count` the number of events, in decimals; `at`, in
 * microseconds, the log time of a record that was moved here from another log; `traceparent` a
 * traced request that is in it, and `traceparents` further ones, between commas. Where they are not
 * about all of its lines, `traces` says which are whose (std/trace.ts).
 * [machines#the-log]
 */
const names = {
  version: Buffer.from('version'),
  count: Buffer.from('count'),
  at: Buffer.from('at'),
  trace: Buffer.from('traceparent'),
  more: Buffer.from('traceparents'),
  traces: Buffer.from('traces'),
}
const version = { name: names.version, value: Buffer.from('1') }

/** Does not copy the value: its bytes must not change before the append is answered. */
export function encodeRecord({ value, events, at, traces }: NewRecord): OutRecord {
  const headers = [version, { name: names.count, value: Buffer.from(String(events)) }]
  if (at !== undefined) headers.push({ name: names.at, value: Buffer.from(String(at)) })
  if (traces !== undefined) headers.push(...traceHeaders(traces))
  return { key: null, value, headers }
}

function traceHeaders(traces: readonly EventsTrace[]) {
  const [first, ...rest] = traces.map(({ traceparent }) => traceparent)
  if (first === undefined) return []
  const headers = [{ name: names.trace, value: Buffer.from(first) }]
  if (rest.length > 0) headers.push({ name: names.more, value: Buffer.from(rest.join(',')) })
  if (traces.some(({ range }) => range !== null)) {
    headers.push({ name: names.traces, value: Buffer.from(writeTraces(traces)) })
  }
  return headers
}

/**
 * Copies the value: a broker sends its records in one buffer, which a single record would keep
 * alive, and which would be cloned whole with each record that goes to another thread.
 *
 * A record that Sluice did not write counts as one event: it cannot be read, is set aside, and
 * shows.
 */
export function decodeRecord(partition: Partition, record: InRecord): LogRecord {
  const count = Number(record.headers.get('count')?.toString('latin1'))
  return {
    partition,
    offset: record.offset,
    at: logTimeOf(record),
    events: Number.isSafeInteger(count) && count > 0 ? count : 1,
    value: new Uint8Array(record.value),
    ...tracesIn(record),
  }
}

const untraced = {}

function tracesIn({ headers }: InRecord): Pick<LogRecord, 'traces'> {
  const text = (name: string) => headers.get(name)?.toString('latin1')
  const first = text('traceparent')
  if (first === undefined) return untraced
  const written = text('traces') ?? [first, text('traceparents') ?? ''].join(',')
  return { traces: readTraces(written, limits.recordTracesMax) }
}

function logTimeOf({ at, headers }: InRecord): Instant {
  const moved = headers.get('at')
  const micros = moved === undefined ? Number.NaN : Number(moved.toString('latin1'))
  return Number.isSafeInteger(micros) ? instantOf(micros) : instantOfMs(at)
}
