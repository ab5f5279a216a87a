import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { DedupeFilter, Known } from '../../parts/dedupe/port.ts'
import type { EventLog, Partition } from '../../parts/event-log/port.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { fingerprintWords } from '../../std/fingerprint.ts'
import type { Duration } from '../../std/instant.ts'
import { second } from '../../std/instant.ts'
import type { Position } from '../../std/position.ts'
import { encodePosition } from '../../std/position.ts'
import type { EventInput } from '../../wire/usage-event.ts'
import { usageEventIngestParams, usageEventIngestResponse } from '../../wire/usage-event.ts'
import { parseJson } from '../http/json.ts'
import { parse } from '../http/parse.ts'
import type { Caller, Reply, Request, Route } from '../http/route.ts'
import { route } from '../http/route.ts'
import { cloudEventMedia, ingestBodyOf, isBinaryMode, isCloudEvent } from './cloud-events.ts'
import type { KnownCustomers } from './customers.ts'
import { inspect, refuseOutsideWindow, refuseOversize, refuseRepeated } from './inspect.ts'
import { linesOf } from './lines.ts'
import type { Packer } from './packer.ts'
import type { SpanFingerprinter, TakenEvents, Taking } from './scanned/take.ts'
import { freshOf, takingBytes } from './scanned/take.ts'
import { timestamps } from './timestamp.ts'

/** Hashes event ids to what stands for their identity (std/fingerprint.ts). */
export interface EventFingerprinter extends SpanFingerprinter {
  /** [hi0, lo0, rest0, place0, hi1, …] in the order of `ids`. */
  identities(businessId: string, mode: Mode, ids: readonly string[]): Uint32Array
  partitionOf(place: number, partitions: number): Partition
}

export interface IngestMetrics {
  /** Counts `ingest_requests_total{code}` and `ingest_request_duration_seconds`. */
  request(status: number, seconds: number): void
  /** Counts `ingest_events_total{result}`. */
  events(result: 'accepted' | 'duplicate' | 'rejected', count: number): void
}

export interface IngestNeeds {
  readonly log: Pick<EventLog, 'identity' | 'partitions'>
  readonly packer: Packer
  readonly dedupe: DedupeFilter
  /**
   * The namespace that the partition's checkpoint names; null: not known yet, so nothing is
   * filtered.
   */
  readonly namespaceOf: (partition: Partition) => string | null
  readonly fingerprinter: EventFingerprinter
  readonly customers: KnownCustomers
  /** No event may be older, whatever its key says: within it, dedupe knows the ids. */
  readonly backfillMax: Duration
  readonly metrics: IngestMetrics
  /** Told of what was taken in. Absent: nobody looks. */
  readonly accepted?: (scope: Caller, events: number) => void
}

/** `POST /events/ingest`. [events#accepted, requests#refusals, events#ids, meters#quantities] */
export function ingestRoute(needs: IngestNeeds): Route {
  const { metrics } = needs
  const take = takingBytes(needs, clockwork)
  return {
    ...route('POST', '/events/ingest', 'write', handle),
    parsesItself: true,
    media: cloudEventMedia,
    mayLackBody: isBinaryMode,
    handlerMs: limits.ingestMs,
    answered: metrics.request,
  }

  // One function waits for all that a usual request waits for: each more of them is copied by
  // every collection meanwhile.
  async function handle(request: Request): Promise<Reply> {
    const bytes = request.body instanceof Buffer ? request.body : null
    const taking = bytes === null ? null : scanned(bytes, request)
    if (taking === null) return parsed(request, bytes)
    const known = taking.known === null ? null : await taking.known
    const { events, fresh, pieces } = freshOf(taking.taken, known)
    const position = await appended(needs, pieces)
    return receipt(needs, request.caller, { events, fresh, position })
  }

  /** The usual requests; null: it is one for the parser. Nothing has come of it yet. */
  function scanned(bytes: Buffer, { at, caller, header }: Request): Taking | null {
    if (isCloudEvent(header)) return null
    const { businessId, mode } = caller
    return take(bytes, { businessId, mode, at })
  }

  async function parsed(request: Request, bytes: Buffer | null): Promise<Reply> {
    const body = bytes === null ? undefined : parseJson(bytes)
    try {
      return await ingest(request, body, needs)
    } catch (error) {
      if (error instanceof Fault && error.status < 500) {
        metrics.events('rejected', eventsIn(body))
      }
      throw error
    }
  }
}

// One for all requests: it remembers the last second, which they share.
const clockwork = timestamps()

async function ingest(request: Request, body: unknown, needs: IngestNeeds): Promise<Reply> {
  const { at, caller, header } = request
  const { businessId, mode } = caller
  const { events } = parse(usageEventIngestParams, ingestBodyOf({ body, header }))
  const inspected = inspect(events, at, clockwork)

  // The order is the guarantee. Each step says what a crash just before it costs.
  //
  // 1. Nothing: the sender has no receipt, and sends again. Known ids are dropped first, so that a
  //    late retry succeeds whatever else is wrong with it by now.
  const { known, partitions } = await identify(needs, businessId, mode, inspected.ids)
  const fresh: number[] = []
  for (let index = 0; index < events.length; index += 1) if (known[index] === 0) fresh.push(index)
  const strangers = strangersOf(needs.customers, { businessId, mode, events, fresh })
  refuseStrangers(strangers instanceof Promise ? await strangers : strangers, events, fresh)
  refuseRepeated(inspected.ids)
  refuseOversize(inspected, fresh)
  refuseOutsideWindow(inspected, fresh, { at, ageMax: ageMaxOf(needs, caller) })

  const context = { businessId, mode, partitions, timestamps: clockwork, at }
  const pieces = linesOf(events, inspected, fresh, context)
  const position = await appended(needs, pieces)
  return receipt(needs, caller, { events: events.length, fresh: fresh.length, position })
}

// 2. Nothing, likewise. After a crash just after it, the retry appends a second copy, which
//    measuring recognizes by its id.
const appended = (
  { packer }: IngestNeeds,
  pieces: TakenEvents['pieces'],
): Position | Promise<Position> => (pieces.length === 0 ? none : packer.append(pieces))

const none: Position = new Map()

interface Appended extends Pick<TakenEvents, 'events' | 'fresh'> {
  readonly position: Position
}

// 3. The second copy of step 2: the events are in the log, and the sender has no receipt.
function receipt(needs: IngestNeeds, caller: Caller, { events, fresh, position }: Appended): Reply {
  needs.metrics.events('accepted', fresh)
  needs.accepted?.(caller, fresh)
  needs.metrics.events('duplicate', events - fresh)
  const at = encodePosition(needs.log.identity, position)
  // Two literals: each has one hidden class, where one put together gets a new one every time.
  const headers =
    caller.backfill > 0
      ? { 'Sluice-Position': at, 'Sluice-Backfill': backfillSeconds(needs, caller) }
      : { 'Sluice-Position': at }
  return { status: 200, body: usageEventIngestResponse(fresh), headers }
}

/** How old an event may be that the caller sends. [events#times] */
const ageMaxOf = ({ backfillMax }: IngestNeeds, { backfill }: Caller): Duration =>
  Math.max(limits.eventAgeMax, Math.min(backfill, backfillMax))

/** How old an event of the caller may be, for the sidecars that forward its events. */
const backfillSeconds = (needs: IngestNeeds, caller: Caller): string =>
  String(Math.floor(ageMaxOf(needs, caller) / second))

interface Identified {
  readonly partitions: Uint32Array
  readonly known: Known
}

/**
 * Finds each event's partition, and which events are measured already: one question per partition,
 * all at once.
 */
async function identify(
  { dedupe, fingerprinter, log, namespaceOf }: IngestNeeds,
  businessId: string,
  mode: Mode,
  ids: readonly string[],
): Promise<Identified> {
  const words = fingerprinter.identities(businessId, mode, ids)
  const partitions = new Uint32Array(ids.length)
  if (ids.length === 1) {
    const partition = fingerprinter.partitionOf(words[3] ?? 0, log.partitions)
    partitions[0] = partition
    const namespace = namespaceOf(partition)
    if (namespace === null) return { known: new Uint8Array(1), partitions }
    return { known: await dedupe.known(partition, namespace, words.subarray(0, 3)), partitions }
  }
  const groups = new Map<Partition, number[]>()
  for (let index = 0; index < ids.length; index += 1) {
    const partition = fingerprinter.partitionOf(words[index * 4 + 3] ?? 0, log.partitions)
    partitions[index] = partition
    const group = groups.get(partition)
    if (group === undefined) groups.set(partition, [index])
    else group.push(index)
  }
  const known = new Uint8Array(ids.length)
  await Promise.all([...groups].map(([partition, group]) => ask(partition, group)))
  return { known, partitions }

  async function ask(partition: Partition, group: readonly number[]): Promise<void> {
    const namespace = namespaceOf(partition)
    if (namespace === null) return
    const prints = new Uint32Array(group.length * fingerprintWords)
    group.forEach((index, at) => {
      prints[at * 3] = words[index * 4] ?? 0
      prints[at * 3 + 1] = words[index * 4 + 1] ?? 0
      prints[at * 3 + 2] = words[index * 4 + 2] ?? 0
    })
    const answers = await dedupe.known(partition, namespace, prints)
    group.forEach((index, at) => {
      known[index] = answers[at] ?? 0
    })
  }
}

interface Newcomers {
  readonly businessId: string
  readonly mode: Mode
  readonly events: readonly EventInput[]
  readonly fresh: readonly number[]
}

/** The customers of the events that the business does not have. */
function strangersOf(
  customers: KnownCustomers,
  { businessId, events, fresh, mode }: Newcomers,
): ReturnType<KnownCustomers['missing']> {
  const ids = new Set<string>()
  for (const index of fresh) ids.add(events[index]?.customer_id ?? '')
  return customers.missing(businessId, mode, ids)
}

/**
 * Throws 404 that names the first event whose customer the business does not have. [events#times]
 */
function refuseStrangers(
  missing: ReadonlySet<string>,
  events: readonly EventInput[],
  fresh: readonly number[],
): void {
  if (missing.size === 0) return
  const index = fresh.find((at) => missing.has(events[at]?.customer_id ?? ''))
  if (index === undefined) return
  throw new Fault(
    'NOT_FOUND',
    `events[${index}].customer_id: there is no customer '${events[index]?.customer_id}'.`,
  )
}

/** How many events a refused body held, as far as that can be told. */
function eventsIn(body: unknown): number {
  if (typeof body !== 'object' || body === null || !('events' in body)) return 0
  return Array.isArray(body.events) ? body.events.length : 0
}
