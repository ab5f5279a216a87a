import { createHash } from 'node:crypto'
import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { RateTier } from '../../rules/commerce/rate-tier.ts'
import { lowestTier, parseRateTier } from '../../rules/commerce/rate-tier.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { millisecond } from '../../std/instant.ts'
import { shelf } from '../../std/shelf.ts'
import type { Caller } from './route.ts'

/** A key as the store knows it; the text of the key is stored nowhere. [requests#keys-and-modes] */
export interface KeyRecord {
  readonly keyId: string
  readonly businessId: string
  readonly mode: Mode
  readonly access: 'read' | 'write'
  readonly rateTier: string
  /** How far the business's test clock runs ahead, in microseconds. */
  readonly clockAheadUs: Duration
  /** How old an event may be that it sends; 0: as old as by any key. */
  readonly backfillUs: Duration
  readonly revoked: boolean
}

export interface KeyDirectory {
  /** Whether the text can be a key at all; if not, the store need not be asked. */
  mayExist(key: string): boolean
  /**
   * Finds the key with this SHA-256; null: there is none. A key that is `known` from before does
   * not wait behind those that are not. Throws UNAVAILABLE when the store is away.
   */
  find(hash: Uint8Array, known: boolean): Promise<KeyRecord | null>
}

/** Whose key it is, and how many requests that business may make. */
export interface KnownCaller extends Caller {
  readonly tier: RateTier
}

export interface Authenticator {
  /**
   * Who sends this `Authorization` header; not a promise if it is cached. Throws UNAUTHORIZED (the
   * key is missing, unknown, revoked, or of the other mode) and UNAVAILABLE.
   * [requests#keys-and-modes]
   */
  caller(header: string | null, mode: Mode): KnownCaller | Promise<KnownCaller>
  /** Whether this very header brought a good key before. It may have to be looked up again. */
  knows(header: string | null): boolean
  /** Has every key looked up again: after a revocation, a new tier or a moved clock here. */
  forget(): void
}

export interface AuthenticatorNeeds {
  readonly keys: KeyDirectory
  readonly clock: Clock
  /** For how long a cached key still counts while the store is away. */
  readonly maxStale: Duration
}

interface Entry {
  readonly caller: KnownCaller | null
  readonly mode: Mode | null
  readonly checkedAt: Instant
  /** How often everything had been forgotten by then. */
  readonly era: number
}

/**
 * Keys are looked up by their hash, so that timing says nothing about stored ones, and cached by
 * the header in its usual form, since hashing would cost more than the rest of a small request.
 * Unknown keys are cached as well, apart from the others so that guesses displace no real key: a
 * random key cannot come to exist after it was tried.
 *
 * While the store answers, an entry counts for `keyCacheMs` and is then looked up again, once for
 * all requests that wait. The store counts as away from a failed or late look-up until the next one
 * that is answered. Meanwhile entries count until `maxStale`, one look-up goes out per
 * `storeRetryMs`, and a miss is 503, never 401. That also holds for texts that cannot be a key,
 * which are refused without asking only where the store has answered just now.
 */
export function authenticator({ clock, keys, maxStale }: AuthenticatorNeeds): Authenticator {
  const entries = new Map<string, Entry>()
  let strangers = unknownKeys()
  let era = 0
  let failedAt: Instant | null = null
  let answeredAt: Instant | null = null
  const lookups = onceAtATime(async (header: string): Promise<Entry> => {
    const askedAt = clock.now()
    try {
      const known = entries.has(header)
      const [askedIn, record] = [era, await inTime(keys.find(hashOf(header), known))]
      const found = entryOf(record, askedAt, askedIn)
      failedAt = null
      answeredAt = clock.now()
      return found
    } catch (error) {
      if (isAway(error)) failedAt = clock.now()
      throw error
    }
  })
  return { caller, knows, forget }

  function forget(): void {
    // Look-ups under way may bring what was true before.
    lookups.forget()
    strangers = unknownKeys()
    // Good keys stay known as such, or all would wait behind guesses.
    era += 1
  }

  /** Layers that go as a whole: taking the oldest out of a map costs more the more have gone. */
  function unknownKeys() {
    const most = limits.keyCacheEntriesMax / 2
    return shelf<Entry>({ keptMs: Math.max(maxStale / millisecond, limits.keyCacheMs), most })
  }

  function knows(header: string | null): boolean {
    return header !== null && entries.has(header)
  }

  function caller(header: string | null, mode: Mode): KnownCaller | Promise<KnownCaller> {
    if (header === null) throw unauthorized
    return cached(header, mode) ?? unusual(header, mode)
  }

  function cached(header: string, mode: Mode): KnownCaller | Promise<KnownCaller> | null {
    const now = clock.now()
    const entry = entries.get(header) ?? strangers.find(header, now / millisecond)
    if (entry === null) return null
    if (usable(entry, header, now)) return admitted(entry, mode)
    return lookedUp(header, entry, now).then((found) => admitted(found, mode))
  }

  /** A key that is not cached, or a header in an unusual form. */
  function unusual(header: string, mode: Mode): KnownCaller | Promise<KnownCaller> {
    const key = keyOf(header)
    if (key === null || (!keys.mayExist(key) && isStoreHere())) throw unauthorized
    const usual = `${scheme}${key}`
    const known = usual === header ? null : cached(usual, mode)
    return known ?? lookedUp(usual, undefined, clock.now()).then((found) => admitted(found, mode))
  }

  function isStoreHere(): boolean {
    if (failedAt !== null || answeredAt === null) return false
    return between(answeredAt, clock.now()) <= limits.storeRetryMs * millisecond
  }

  function usable(entry: Entry, header: string, now: Instant): boolean {
    const age = ageOf(entry, now)
    if (age <= limits.keyCacheMs * millisecond) return true
    if (failedAt === null || age > maxStale) return false
    if (between(failedAt, now) > limits.storeRetryMs * millisecond)
      refresh(header).catch(() => undefined)
    return true
  }

  function ageOf(entry: Entry, now: Instant): Duration {
    return entry.era === era ? between(entry.checkedAt, now) : Number.POSITIVE_INFINITY
  }

  async function lookedUp(header: string, entry: Entry | undefined, now: Instant): Promise<Entry> {
    try {
      return await refresh(header)
    } catch (error) {
      const stale = isAway(error) && entry !== undefined && ageOf(entry, now) <= maxStale
      if (stale) return entry
      throw error
    }
  }

  async function refresh(header: string): Promise<Entry> {
    const { current, value } = await lookups.run(header)
    if (current) keep(header, value)
    return value
  }

  function keep(header: string, value: Entry): void {
    const isKnown = value.caller !== null
    // A known one is looked for first, so what is among the unknown need not go.
    if (isKnown) remember(entries, header, value)
    else {
      entries.delete(header)
      strangers.put(header, value, value.checkedAt / millisecond)
    }
  }
}

/** Absolute, so that a clock that steps back does not keep alive what is long over. */
const between = (then: Instant, now: Instant): Duration => Math.abs(now - then)

function remember(entries: Map<string, Entry>, header: string, entry: Entry): void {
  entries.delete(header)
  entries.set(header, entry)
  if (entries.size <= limits.keyCacheEntriesMax) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}

interface OnceAtATime<T> {
  /**
   * Joins a run for the same name that is under way. `current`: nothing was forgotten since it
   * began.
   */
  run(name: string): Promise<{ readonly value: T; readonly current: boolean }>
  forget(): void
}

function onceAtATime<T>(work: (name: string) => Promise<T>): OnceAtATime<T> {
  let pending = new Map<string, Promise<T>>()
  return {
    async run(name) {
      const before = pending
      const running = before.get(name) ?? work(name)
      before.set(name, running)
      try {
        return { value: await running, current: before === pending }
      } finally {
        before.delete(name)
      }
    },
    forget() {
      pending = new Map()
    },
  }
}

const scheme = 'Bearer '

const keyOf = (header: string): string | null =>
  /^bearer +([\x21-\x7e]{1,256})$/i.exec(header)?.[1] ?? null

/** Hashes the key of a header in its usual form. */
const hashOf = (header: string): Uint8Array =>
  createHash('sha256').update(header.slice(scheme.length)).digest()

function entryOf(record: KeyRecord | null, checkedAt: Instant, era: number): Entry {
  if (record === null || record.revoked) return { caller: null, mode: null, checkedAt, era }
  const { keyId, businessId, mode, access } = record
  const { clockAheadUs: clockAhead, backfillUs: backfill } = record
  const tier = parseRateTier(record.rateTier) ?? lowestTier
  const caller: KnownCaller = {
    keyId,
    businessId,
    mode,
    access,
    clockAhead,
    backfill,
    tier,
  }
  return { caller, mode, checkedAt, era }
}

function admitted(entry: Entry, mode: Mode): KnownCaller {
  if (entry.caller === null || entry.mode !== mode) throw unauthorized
  return entry.caller
}

/** One for all: finding out where each of them was thrown would cost more than the rest. */
const unauthorized = new Fault(
  'UNAUTHORIZED',
  'The API key is missing, unknown, revoked, or of the other mode: ' +
    'send Authorization: Bearer with a key of this host.',
)

const isAway = (error: unknown): boolean => error instanceof Fault && error.code === 'UNAVAILABLE'

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(away()), limits.keyLookupMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

const away = (): Fault =>
  new Fault('UNAVAILABLE', 'Keys cannot be checked just now; try again.', { retryAfterSeconds: 1 })
