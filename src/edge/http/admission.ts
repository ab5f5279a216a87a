import { Fault } from '../../faults.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Authenticator, KnownCaller } from './auth.ts'
import type { ClientAddress } from './client-address.ts'
import type { Exchange } from './exchange.ts'
import type { Head } from './head.ts'
import type { Rated, Rates } from './rates.ts'
import { tooMany } from './rates.ts'
import type { Caller, Route, Visitor } from './route.ts'
import type { Strangers } from './strangers.ts'

export interface AdmissionNeeds {
  readonly auth: Authenticator
  readonly rates: Rates
  /** Requests with keys that are not known yet wait here for a share of the thread. */
  readonly strangers: Strangers
  /** Null: nobody is counted by it. */
  readonly clientAddress: ClientAddress | null
  readonly metrics: {
    /** Counts `rate_limited_total{scope}`. */
    rateLimited(scope: Rated['scope']): void
  }
}

/** A request that wants to be let in. */
export interface Arrival {
  readonly head: Head
  readonly exchange: Exchange
  readonly route: Route | null
  /** The mode of the host that it was sent to; null: not one of our hosts. */
  readonly mode: Mode | null
  /** The client's address, once it has been looked up. */
  address: string | null
  /** What the counters said; null until the request has been counted. */
  rated: Rated | null
}

/**
 * Whose request it is; null: nobody's that is known, on a route that needs no key.
 * Not a promise where the answer is at hand.
 */
type Admitted = Caller | null | Promise<Caller | null>

/**
 * Finds out whose request it is, and counts it: with a valid key in the windows of its business,
 * else in those of its address, where pages (and OPTIONS for them) have windows of their own.
 * Throws UNAUTHORIZED, and TOO_MANY_REQUESTS instead of it where the windows are full; and
 * UNAVAILABLE, which is counted nowhere. Keys that are not known yet have a share of the thread and
 * wait for it, so that no number of guesses holds up those who have one.
 * [requests#keys-and-modes, requests#refusals, requests#limits]
 */
export function admit(needs: AdmissionNeeds, arrival: Arrival): Admitted {
  const { head, mode, route } = arrival
  if (mode !== null && route?.visitor !== undefined) {
    return visited(needs, arrival, route.visitor)
  }
  if (mode === null || route?.access === 'public' || opens(arrival))
    return stranger(needs, arrival, null)
  const header = head.header('authorization')
  if (needs.auth.knows(header)) return judged(needs, arrival, { header, mode })
  const turn = needs.strangers.wait(addressOf(needs, arrival))
  return turn === null
    ? judged(needs, arrival, { header, mode })
    : turn.then(() => judged(needs, arrival, { header, mode }))
}

interface Shown {
  readonly header: string | null
  readonly mode: Mode
}

function judged(needs: AdmissionNeeds, arrival: Arrival, { header, mode }: Shown): Admitted {
  let known: KnownCaller | Promise<KnownCaller>
  try {
    known = needs.auth.caller(header, mode)
  } catch (error) {
    return unknown(needs, arrival, error)
  }
  if (!(known instanceof Promise)) return customer(needs, arrival, known)
  // Looked up now, so that a client that hangs up before the store answers is counted all the same.
  addressOf(needs, arrival)
  return known.then(
    (caller) => {
      needs.strangers.turnedOut(true)
      return customer(needs, arrival, caller)
    },
    (error: unknown) => unknown(needs, arrival, error),
  )
}

function unknown(needs: AdmissionNeeds, arrival: Arrival, why: unknown): Admitted {
  if (isRefusal(why)) needs.strangers.turnedOut(false)
  return stranger(needs, arrival, why)
}

const isRefusal = (why: unknown): boolean => why instanceof Fault && why.code === 'UNAUTHORIZED'

/** Whether the request has what lets it in without a key, and none that would be judged instead. */
function opens({ head, route }: Arrival): boolean {
  const opener = route?.opener
  return (
    opener !== undefined &&
    head.header('authorization') === null &&
    new URLSearchParams(head.query).has(opener)
  )
}

/** The address by which the request came; each address has only one spelling. */
export function addressOf(
  { clientAddress }: Pick<AdmissionNeeds, 'clientAddress'>,
  arrival: Arrival,
): string {
  if (clientAddress === null) return 'unknown'
  const { exchange, head } = arrival
  arrival.address ??= clientAddress(exchange.address(), head.header('x-forwarded-for'))
  return arrival.address
}

function customer(needs: AdmissionNeeds, arrival: Arrival, caller: KnownCaller): Admitted {
  const rated = needs.rates.business(caller.businessId, caller.tier, arrival.route?.windows)
  if (rated instanceof Promise) return rated.then(passed)
  return passed(rated)

  function passed(counted: Rated): KnownCaller {
    note(needs, arrival, counted)
    return caller
  }
}

/** Counted before it is known who it is: a cookie is looked up in the store each time. */
async function visited(needs: AdmissionNeeds, arrival: Arrival, visitor: Visitor): Promise<Caller> {
  note(needs, arrival, await needs.rates.page(addressOf(needs, arrival)))
  return visitor(arrival.head)
}

/**
 * A request without a valid key. `why`: the reason for refusing its key, which does not matter
 * where no such route exists.
 */
function stranger(needs: AdmissionNeeds, arrival: Arrival, why: unknown): Admitted {
  if (why !== null && !isRefusal(why) && arrival.route !== null) throw why
  const { address, page } = needs.rates
  const from = addressOf(needs, arrival)
  const { head, route } = arrival
  // A browser asks before each request of another origin's page, and never shows its key.
  const isPages = route?.isPage === true || head.method === 'OPTIONS'
  const rated = isPages ? page(from) : address(from, route?.windows)
  if (rated instanceof Promise) return rated.then(refused)
  return refused(rated)

  function refused(counted: Rated): null {
    note(needs, arrival, counted)
    if (why !== null && arrival.route !== null) throw why
    return null
  }
}

function note({ metrics }: AdmissionNeeds, arrival: Arrival, rated: Rated): void {
  arrival.rated = rated
  if (rated.passed) return
  metrics.rateLimited(rated.scope)
  throw tooMany(rated)
}
