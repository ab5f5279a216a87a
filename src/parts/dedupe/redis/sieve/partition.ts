import { fingerprintWords } from '../../../../std/fingerprint.ts'
import type { Fingerprints } from '../../port.ts'
import { siftedBytes } from '../id-packing.ts'
import type { Layers, Room } from './layers.ts'
import { openLayers } from './layers.ts'
import type { MarkStep, News } from './news.ts'

/** Which ids of one filling of a partition were surely never marked. */
export interface PartitionSieve {
  readonly filling: string
  /** Up to which step it knows every mark. */
  told(): number
  /**
   * Takes in what was marked since the last news. False: something between is missing, so that it
   * must be thrown away.
   */
  hear(news: News): boolean
  /** Takes in a bucket of a generation. */
  pour(generation: number, bucket: Uint8Array, form: BucketForm): void
  /** From now on it knows all. */
  fill(): void
  /** The places of those that may be known; null: it cannot say yet. */
  doubted(ids: Fingerprints): readonly number[] | null
  drop(): void
}

/** How a bucket keeps ids (scripts/buckets.lua). */
export interface BucketForm {
  readonly width: number
  /** The bytes of each id before the third of its twelve. */
  readonly before: number
}

const none: readonly number[] = []

/**
 * Knows every mark from where `begun` stands. Marks follow each other: each begins where the one
 * before it has ended, in steps that are counted. So what was missed shows, whoever marks: an older
 * release, which tells nothing, or a Redis that has lost some of it.
 */
export function openPartitionSieve(begun: News, room: Room): PartitionSieve {
  const generations = new Map<number, Layers>()
  const expected = Math.ceil(begun.count / 2)
  let { step, synced, told } = begun
  let isFull = false
  return { filling: begun.filling, told: () => told, hear, pour, fill, doubted, drop }

  function hear(news: News): boolean {
    const missed = news.told - told
    if (news.filling !== begun.filling || news.steps.length !== missed) return false
    if (!news.steps.every(follow)) return false
    told = news.told
    if (news.newest !== null) forgetBefore(news.newest - 2)
    return synced === news.synced && step === news.step
  }

  function follow(next: MarkStep): boolean {
    // One that begins again goes on from its first step, perhaps to another end.
    if (next.start !== synced || (next.step !== 1 && next.step !== step + 1)) return false
    const layers = layersOf(next.generation)
    const { ids } = next
    for (let at = 0; at < ids.length; at += siftedBytes) sift(layers, ids, at)
    synced = next.isLast ? next.end : next.start
    step = next.isLast ? 0 : next.step
    return true
  }

  function pour(generation: number, bucket: Uint8Array, { before, width }: BucketForm): void {
    const layers = layersOf(generation)
    for (let at = before; at < bucket.length; at += width) sift(layers, bucket, at)
  }

  function fill(): void {
    isFull = true
  }

  function doubted(ids: Fingerprints): readonly number[] | null {
    if (!isFull) return null
    let places: number[] | null = null
    for (let at = 0; at < ids.length; at += fingerprintWords) {
      if (mayBeKnown(ids[at + 1] as number, (ids[at + 2] as number) >>> 16)) {
        places ??= []
        places.push(at / fingerprintWords)
      }
    }
    return places ?? none
  }

  function mayBeKnown(low: number, rest: number): boolean {
    for (const layers of generations.values()) if (layers.mayHold(low, rest)) return true
    return false
  }

  function layersOf(generation: number): Layers {
    let layers = generations.get(generation)
    if (layers === undefined) {
      layers = openLayers(expected, room)
      generations.set(generation, layers)
    }
    return layers
  }

  function forgetBefore(oldest: number): void {
    for (const [generation, layers] of generations) {
      if (generation >= oldest) continue
      layers.drop()
      generations.delete(generation)
    }
  }

  function drop(): void {
    forgetBefore(Number.POSITIVE_INFINITY)
    isFull = false
  }
}

/** The least significant byte comes first. */
function sift(layers: Layers, bytes: Uint8Array, at: number): void {
  const rest = (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
  const low =
    (bytes[at + 2] as number) |
    ((bytes[at + 3] as number) << 8) |
    ((bytes[at + 4] as number) << 16) |
    ((bytes[at + 5] as number) << 24)
  layers.add(low >>> 0, rest)
}
