import { fingerprintWords } from '../../../../std/fingerprint.ts'
import type { Offset, Partition } from '../../../event-log/port.ts'
import type { Fingerprints, Run } from '../../port.ts'
import { newsScript } from '../scripts.ts'
import type { SieveIds } from './ids.ts'
import { openSieveIds } from './ids.ts'
import type { SieveRoom } from './layers.ts'
import { idsMax, roomOfProcess } from './layers.ts'
import type { PouringNeeds } from './loading.ts'
import { pourAll } from './loading.ts'
import { newsOf, unheard } from './news.ts'

/** The sieve of who marks: it knows the marks of a partition because they are its own. */
export interface OwnSieve {
  /**
   * The places of the ids that may have been marked before `start`; null: it cannot say. The others
   * surely were not.
   */
  doubted(at: MarkPlace, ids: Fingerprints): readonly number[] | null
  /** Redis has just said that all before `at.start` is marked there, when asked about `ids`. */
  confirmed(at: MarkPlace, ids: Fingerprints): void
  begun(at: MarkPlace): void
  marked(partition: Partition, namespace: string, run: Run & { readonly generation: number }): void
  /** What Redis holds is not what was marked here. */
  lost(partition: Partition): void
  close(): Promise<void>
}

export interface MarkPlace {
  readonly partition: Partition
  readonly namespace: string
  readonly start: Offset
}

export interface OwnSieveNeeds extends PouringNeeds {
  /** Whether Redis says now, between two marks, that all before `start` is marked there. */
  readonly isMarkedTo: (at: () => MarkPlace) => Promise<boolean>
}

/** A partition that is marked here. */
interface Own {
  readonly namespace: string
  readonly ids: SieveIds
  synced: Offset
  /** The newest generation, into which ids go; null: it takes no ids yet. */
  newest: number | null
  isFull: boolean
  /** When it was marked last, by monotonic time. */
  markedAt: number
}

/** Filling costs Redis by the ids that it holds, a hundredth of asking about as many. */
const askedShare = 100
const askedMin = 1_000
/** The pause before a partition is tried again whose ids could not all be read. */
const againMs = 10_000
const idleMs = 60_000

/**
 * Mirrors what Redis knows of the partitions that are marked here: `synced` moves by the same rule,
 * and the ids are all that Redis has. So what surely was not marked need not be asked, while the
 * place that is asked for is the one where the mirror stands. README.md says why that is enough.
 */
export function openOwnSieve({ connection, isMarkedTo, keys }: OwnSieveNeeds): OwnSieve {
  const own: (Own | undefined)[] = []
  const asked: number[] = []
  const pausedTo: number[] = []
  const room: SieveRoom = roomOfProcess()
  let loading: Promise<void> = Promise.resolve()
  return { doubted, confirmed, begun, marked, lost, close }

  function doubted(at: MarkPlace, ids: Fingerprints): readonly number[] | null {
    const one = own[at.partition]
    return one?.isFull === true && isAt(one, at) ? one.ids.doubted(ids) : null
  }

  function confirmed(at: MarkPlace, ids: Fingerprints): void {
    const { partition } = at
    const one = own[partition]
    if (one !== undefined && isAt(one, at)) return
    lost(partition)
    asked[partition] = (asked[partition] ?? 0) + ids.length / fingerprintWords
    if (asked[partition] < askedMin || performance.now() < (pausedTo[partition] ?? 0)) return
    const next: Own = { ...emptyAt(at), newest: null, isFull: false }
    own[partition] = next
    loading = loading.then(() => fill(partition, next))
  }

  function begun(at: MarkPlace): void {
    lost(at.partition)
    own[at.partition] = { ...emptyAt(at), newest: 0, isFull: true }
  }

  function marked(
    partition: Partition,
    namespace: string,
    { end, generation, ids, start }: Run & { readonly generation: number },
  ): void {
    const one = own[partition]
    if (one === undefined) return
    if (!isAt(one, { partition, namespace, start })) {
      lost(partition)
      return
    }
    one.synced = end
    one.markedAt = performance.now()
    // Redis had these before any of its buckets is read.
    if (one.newest === null) return
    one.newest = Math.max(one.newest, generation)
    one.ids.add(one.newest, ids)
    one.ids.forgetBefore(one.newest - 2)
  }

  async function fill(partition: Partition, one: Own): Promise<void> {
    const isWanted = () => own[partition] === one
    const isWhole = await filled(partition, one, isWanted).catch(() => false)
    if (!isWanted()) return
    one.isFull = isWhole
    asked[partition] = 0
    if (isWhole) return
    pausedTo[partition] = performance.now() + againMs
    lost(partition)
  }

  async function filled(partition: Partition, one: Own, isWanted: () => boolean): Promise<boolean> {
    if (!isWanted()) return false
    const { namespace, synced } = one
    const reply = await connection.run(newsScript, keys.of([partition]), [namespace, unheard])
    const news = Array.isArray(reply) ? newsOf(reply[0]) : null
    if (news === null || news.count > idsMax) return false
    if (news.count > (asked[partition] ?? 0) * askedShare) return false
    const { filling, newest } = news
    one.newest = newest ?? 0
    forgetIdle()
    const of = { partition, into: one.ids, filling, synced, newest: newest ?? -1, isWanted }
    if (!(await pourAll({ connection, keys }, of))) return false
    return isMarkedTo(() => ({ partition, namespace, start: one.synced }))
  }

  function lost(partition: Partition): void {
    own[partition]?.ids.drop()
    own[partition] = undefined
  }

  async function close(): Promise<void> {
    for (const partition of own.keys()) lost(partition)
    await loading
  }

  /** Partitions that others mark by now leave their room to those that are marked here. */
  function forgetIdle(): void {
    const before = performance.now() - idleMs
    for (const [partition, one] of own.entries()) {
      if (one !== undefined && one.markedAt < before) lost(partition)
    }
  }

  function emptyAt({ namespace, start }: MarkPlace) {
    const ids = openSieveIds(0, room)
    return { namespace, ids, synced: start, markedAt: performance.now() }
  }
}

const isAt = (one: Own, { namespace, start }: MarkPlace): boolean =>
  one.namespace === namespace && one.synced === start
