import type { Fingerprints } from '../../port.ts'
import type { BucketForm } from './ids.ts'
import { openSieveIds } from './ids.ts'
import type { SieveRoom } from './layers.ts'
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

/**
 * Knows every mark from where `begun` stands. Marks follow each other: each begins where the one
 * before it has ended, in steps that are counted. So it shows where something is missing: marks of
 * an older release, which tells nothing, or what Redis has lost.
 */
export function openPartitionSieve(begun: News, room: SieveRoom): PartitionSieve {
  const ids = openSieveIds(Math.ceil(begun.count / 2), room)
  let { step, synced, told } = begun
  let isFull = false
  return { filling: begun.filling, told: () => told, hear, pour: ids.pour, fill, doubted, drop }

  function hear(news: News): boolean {
    const missed = news.told - told
    if (news.filling !== begun.filling || news.steps.length !== missed) return false
    if (!news.steps.every(follow)) return false
    told = news.told
    if (news.newest !== null) ids.forgetBefore(news.newest - 2)
    return synced === news.synced && step === news.step
  }

  function follow(next: MarkStep): boolean {
    // One that begins again goes on from its first step, perhaps to another end.
    if (next.start !== synced || (next.step !== 1 && next.step !== step + 1)) return false
    ids.addSifted(next.generation, next.ids)
    synced = next.isLast ? next.end : next.start
    step = next.isLast ? 0 : next.step
    return true
  }

  function fill(): void {
    isFull = true
  }

  function doubted(asked: Fingerprints): readonly number[] | null {
    return isFull ? ids.doubted(asked) : null
  }

  function drop(): void {
    ids.drop()
    isFull = false
  }
}
