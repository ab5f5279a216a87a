import { isUtf8 } from 'node:buffer'
import { limits } from '../../../limits.ts'
import type { DedupeFilter, Known } from '../../../parts/dedupe/port.ts'
import type { EventLog, Partition } from '../../../parts/event-log/port.ts'
import type { EventOwner, FingerprintPrefix } from '../../../std/fingerprint.ts'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { KnownCustomers } from '../customers.ts'
import { customerScope } from '../customers.ts'
import type { Piece } from '../packer.ts'
import type { Timestamps } from '../timestamp.ts'
import type { Receipt } from './assembly.ts'
import { bodyTaker } from './assembly.ts'

/** What the identities of an owner's events begin with; the rest is hashed where it stands. */
export interface SpanFingerprinter {
  prefixOf(owner: EventOwner): FingerprintPrefix
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

/** A body on its way: what is asked about it is under way. */
export interface Taking {
  readonly taken: TakenBody
  /** Which of its events are measured already; null: nothing is asked. */
  readonly known: Promise<Known | null> | null
}

/**
 * Takes a body by its bytes, without making values of them. Null: it is for the parser, which says
 * what is wrong with it, if anything is. README.md says why the two agree. What it answers is not
 * a promise, since each that a request waits for is copied by every collection meanwhile.
 */
export type TakeBytes = (bytes: Buffer, receipt: Receipt) => Taking | null

export function takingBytes(needs: TakingNeeds, timestamps: Timestamps): TakeBytes {
  const { customers, dedupe, fingerprinter, log, namespaceOf } = needs
  const taker = bodyTaker({ ...fingerprinter, partitions: log.partitions, timestamps })
  return take

  function take(bytes: Buffer, receipt: Receipt): Taking | null {
    const count = isUtf8(bytes) ? taker.take(bytes, receipt) : 0
    if (count === 0 || !areCustomersKnown(receipt)) return null
    // The next body may be taken while the filter is asked.
    const taken = { count, facts: taker.facts(count), lines: taker.lines() }
    return { taken, known: count === 1 ? askedOfOne(taken) : filtered(taken) }
  }

  function areCustomersKnown({ businessId, mode }: Receipt): boolean {
    const scope = customerScope(businessId, mode)
    const all = taker.customers()
    for (let index = 0; index < all; index += 1) {
      if (!customers.isKnown(scope, taker.customer(index))) return false
    }
    return true
  }

  /** As `filtered` of one event, without what that needs for several. */
  function askedOfOne({ facts }: TakenBody): Promise<Known> | null {
    const partition = partitionAt(facts, 1, 0)
    const namespace = namespaceOf(partition)
    if (namespace === null) return null
    // A copy of three words, because a view would need memory outside the heap.
    return dedupe.known(partition, namespace, facts.slice(0, fingerprintWords))
  }

  /** Which events are measured already; null: none. Asks once for each partition, all at once. */
  async function filtered({ count, facts }: TakenBody): Promise<Known | null> {
    const asked: Promise<void>[] = []
    let known: Known | null = null
    for (let from = 0; from < count; ) {
      const partition = partitionAt(facts, count, from)
      let end = from + 1
      while (end < count && partitionAt(facts, count, end) === partition) end += 1
      const namespace = namespaceOf(partition)
      if (namespace !== null) asked.push(ask({ from, end, partition, namespace }))
      from = end
    }
    const [first] = asked
    if (asked.length === 1) await first
    else if (asked.length > 1) await Promise.all(asked)
    return known

    async function ask({ from, end, partition, namespace }: Run): Promise<void> {
      const prints = facts.subarray(from * fingerprintWords, end * fingerprintWords)
      const answers = await dedupe.known(partition, namespace, prints)
      if (answers.indexOf(1) === -1) return
      known ??= new Uint8Array(count)
      known.set(answers, from)
    }
  }
}

/** The events of a body, in the order of their lines (`BodyTaker.facts`). */
export interface TakenBody {
  readonly count: number
  readonly facts: Uint32Array
  readonly lines: Uint8Array
}

/** The events of one partition, by their places in that order. */
interface Run {
  readonly from: number
  readonly end: number
  readonly partition: Partition
  readonly namespace: string
}

const partitionAt = (facts: Uint32Array, count: number, place: number): Partition =>
  facts[count * fingerprintWords + place] as number

const lineEnd = (facts: Uint32Array, count: number, place: number): number =>
  place < 0 ? 0 : (facts[count * (fingerprintWords + 1) + place] as number)

/** Cuts the lines of the events that are not measured into pieces, by partition. */
export function freshOf({ count, facts, lines }: TakenBody, answers: Known | null): TakenEvents {
  const known = answers === null || answers.indexOf(1) === -1 ? null : answers
  const pieces: Piece[] = []
  const bytes = known === null ? lines : new Uint8Array(lines.length)
  let [begun, end, events, partition, fresh] = [0, 0, 0, -1, 0]
  for (let place = 0; place < count; place += 1) {
    if (known?.[place] === 1) continue
    const own = partitionAt(facts, count, place)
    if (events > 0 && (own !== partition || end - begun >= limits.pieceCharactersMax)) cut()
    partition = own
    // Not as one pattern of an array: that makes an array, and what walks it, for each event.
    const first = lineEnd(facts, count, place - 1)
    const last = lineEnd(facts, count, place)
    if (known !== null) bytes.set(lines.subarray(first, last), end)
    end += last - first
    events += 1
    fresh += 1
  }
  if (events > 0) cut()
  return { events: count, fresh, pieces }

  function cut(): void {
    pieces.push({ partition, bytes: bytes.subarray(begun, end), events })
    begun = end
    events = 0
  }
}
