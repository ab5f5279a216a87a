import { fingerprintWords } from '../../../../std/fingerprint.ts'
import type { Fingerprints } from '../../port.ts'
import { siftedBytes } from '../id-packing.ts'
import type { Layers, SieveRoom } from './layers.ts'
import { openLayers } from './layers.ts'

/** The marked ids of a partition, by generation. */
export interface SieveIds {
  add(generation: number, ids: Fingerprints): void
  /** As mark.lua tells them: six bytes each. */
  addSifted(generation: number, ids: Uint8Array): void
  /** All ids of a bucket. */
  pour(generation: number, bucket: Uint8Array, form: BucketForm): void
  /** The places of those that may have been added; the others surely were not. */
  doubted(ids: Fingerprints): readonly number[]
  forgetBefore(generation: number): void
  drop(): void
}

/** How a bucket keeps ids (scripts/buckets.lua). */
export interface BucketForm {
  readonly width: number
  /** The bytes of each id before the third of its twelve. */
  readonly before: number
}

const none: readonly number[] = []

/** `expected`: how many ids a generation is made for at first. */
export function openSieveIds(expected: number, room: SieveRoom): SieveIds {
  const generations = new Map<number, Layers>()
  return { add, addSifted, pour, doubted, forgetBefore, drop }

  function add(generation: number, ids: Fingerprints): void {
    const layers = layersOf(generation)
    for (let at = 0; at < ids.length; at += fingerprintWords) {
      layers.add(ids[at + 1] as number, (ids[at + 2] as number) >>> 16)
    }
  }

  function addSifted(generation: number, ids: Uint8Array): void {
    pour(generation, ids, { width: siftedBytes, before: 0 })
  }

  function pour(generation: number, bucket: Uint8Array, { before, width }: BucketForm): void {
    const layers = layersOf(generation)
    for (let at = before; at < bucket.length; at += width) sift(layers, bucket, at)
  }

  function doubted(ids: Fingerprints): readonly number[] {
    let places: number[] | null = null
    for (let at = 0; at < ids.length; at += fingerprintWords) {
      if (mayBeHere(ids[at + 1] as number, (ids[at + 2] as number) >>> 16)) {
        places ??= []
        places.push(at / fingerprintWords)
      }
    }
    return places ?? none
  }

  function mayBeHere(low: number, rest: number): boolean {
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
