import { isUtf8 } from 'node:buffer'
import { limits } from '../../../limits.ts'
import type { DedupeFilter } from '../../../parts/dedupe/port.ts'
import type { EventLog, Partition } from '../../../parts/event-log/port.ts'
import type { EventOwner, IdSpans } from '../../../std/fingerprint.ts'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Instant } from '../../../std/instant.ts'
import type { KnownCustomers } from '../customers.ts'
import { customerScope } from '../customers.ts'
import type { Piece } from '../packer.ts'
import type { Timestamps } from '../timestamp.ts'
import type { FoundEvents } from './found.ts'
import { foundPool, identityWords, parts, spanWords } from './found.ts'
import type { Receipt } from './lines.ts'
import { lineWriter } from './lines.ts'
import { repeats } from './repeats.ts'
import { bodyScanner } from './scan.ts'
import { stampsIn } from './stamps.ts'
import { rememberedTexts } from './texts.ts'

/** Hashes ids where they stand in a body. */
export interface SpanFingerprinter {
  identitiesIn(owner: EventOwner, ids: IdSpans, into: Uint32Array): void
  partitionOf(place: number, partitions: number): Partition
}

export interface TakingNeeds {
  readonly log: Pick<EventLog, 'partitions'>
  readonly dedupe: Pick<DedupeFilter, 'known'>
  readonly namespaceOf: (partition: Partition) => string | null
  readonly fingerprinter: SpanFingerprinter
  readonly customers: Pick<KnownCustomers, 'isKnown'>
}

/** A request whose events are all in order. */
export interface TakenEvents {
  readonly events: number
  /** How many of them are not measured yet; they are in the pieces. */
  readonly fresh: number
  readonly pieces: readonly Piece[]
}

/**
 * Takes a body by its bytes, without making values of them. Null: it is for the parser, which says
 * what is wrong with it, if anything is. README.md says why the two agree.
 */
export type TakeBytes = (bytes: Buffer, receipt: Receipt) => Promise<TakenEvents | null>

export function takingBytes(needs: TakingNeeds, timestamps: Timestamps): TakeBytes {
  const { customers, dedupe, fingerprinter, log, namespaceOf } = needs
  const { partitions } = log
  const stamps = stampsIn(timestamps)
  const scan = bodyScanner(stamps)
  const write = lineWriter(stamps)
  const isRepeated = repeats()
  const texts = rememberedTexts(4_096)
  const pool = foundPool()
  const counts = new Uint32Array(partitions + 1)
  return take

  async function take(bytes: Buffer, receipt: Receipt): Promise<TakenEvents | null> {
    const found = pool.take()
    const isUsual = isUtf8(bytes) && scan(bytes, found) && isEachOnce(bytes, found, receipt)
    if (isUsual) await filter(found)
    const taken = isUsual ? written(bytes, found, receipt) : null
    // Not after a failure: what was asked besides may still write into it.
    pool.give(found)
    return taken
  }

  function isEachOnce(bytes: Buffer, found: FoundEvents, receipt: Receipt): boolean {
    identify(bytes, found, receipt)
    return !isRepeated(found)
  }

  function written(bytes: Buffer, found: FoundEvents, receipt: Receipt): TakenEvents | null {
    const fresh = freshIn(bytes, found, receipt)
    if (fresh === null) return null
    const pieces = fresh === 0 ? [] : write(bytes, found, receipt)
    return { events: found.count, fresh, pieces }
  }

  function identify(bytes: Buffer, found: FoundEvents, receipt: Receipt): void {
    const { count, identities, order, spans } = found
    // The id is the first part.
    fingerprinter.identitiesIn(receipt, { bytes, spans, stride: spanWords, count }, identities)
    counts.fill(0)
    for (let index = 0; index < count; index += 1) {
      const place = identities[index * identityWords + 3] as number
      const partition = fingerprinter.partitionOf(place, partitions)
      found.partitions[index] = partition
      counts[partition + 1] = (counts[partition + 1] as number) + 1
    }
    // What each partition counts becomes where it begins.
    for (let partition = 1; partition <= partitions; partition += 1) {
      counts[partition] = (counts[partition] as number) + (counts[partition - 1] as number)
    }
    for (let index = 0; index < count; index += 1) {
      const partition = found.partitions[index] as number
      const place = counts[partition] as number
      order[place] = index
      counts[partition] = place + 1
    }
  }

  /** Asks once for each partition, all at once. */
  async function filter(found: FoundEvents): Promise<void> {
    const asked: Promise<void>[] = []
    for (let from = 0; from < found.count; ) {
      const partition = partitionAt(found, from)
      let end = from + 1
      while (end < found.count && partitionAt(found, end) === partition) end += 1
      const namespace = namespaceOf(partition)
      if (namespace !== null) asked.push(ask(found, { from, end, partition, namespace }))
      from = end
    }
    const [first] = asked
    if (asked.length === 1) await first
    else if (asked.length > 1) await Promise.all(asked)
  }

  async function ask(found: FoundEvents, { from, end, partition, namespace }: Run): Promise<void> {
    const { identities, known, order } = found
    const prints = new Uint32Array((end - from) * fingerprintWords)
    for (let place = from; place < end; place += 1) {
      const own = (order[place] as number) * identityWords
      const at = (place - from) * fingerprintWords
      prints[at] = identities[own] as number
      prints[at + 1] = identities[own + 1] as number
      prints[at + 2] = identities[own + 2] as number
    }
    const answers = await dedupe.known(partition, namespace, prints)
    for (let place = from; place < end; place += 1) {
      known[order[place] as number] = answers[place - from] as number
    }
  }

  /** How many events are to be stored; null where one of them may not be, or must be asked for. */
  function freshIn(bytes: Buffer, found: FoundEvents, receipt: Receipt): number | null {
    const scope = customerScope(receipt.businessId, receipt.mode)
    let fresh = 0
    for (let index = 0; index < found.count; index += 1) {
      if (found.known[index] === 1) continue
      const [from, end] = [found.from(index, parts.customer), found.end(index, parts.customer)]
      if (!customers.isKnown(scope, texts.read(bytes, from, end))) return null
      if (!isTimely(found.timeOf(index, receipt.at), receipt.at)) return null
      fresh += 1
    }
    return fresh
  }
}

/** The events of one partition, by their places in the order. */
interface Run {
  readonly from: number
  readonly end: number
  readonly partition: Partition
  readonly namespace: string
}

const partitionAt = ({ order, partitions }: FoundEvents, place: number): Partition =>
  partitions[order[place] as number] as number

/** Whether an event may be so old by any key. Older ones may be backfilled. [events#times] */
const isTimely = (time: Instant, at: Instant): boolean =>
  time >= at - limits.eventAgeMax && time <= at + limits.eventLeadMax
