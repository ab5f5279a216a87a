// A slow, plain model of one account, written from the manual alone [machines#settling,
// machines#dedupe, guarantees#books-that-add-up, guarantees#determinism].
//
// It shares nothing with the rules that it checks: amounts are counts of the smallest unit, moved
// one unit at a time, and every question is answered by replaying the whole history from the start.

export type Step =
  /** What a meter's usage of one cycle is worth in all now. */
  | { readonly kind: 'usage'; readonly meter: string; readonly worth: bigint }
  /** `lives`: how long the grant lasts; null: for ever. */
  | { readonly kind: 'grant'; readonly amount: bigint; readonly lives: number | null }
  | { readonly kind: 'debit'; readonly amount: bigint }
  | { readonly kind: 'terms'; readonly terms: ModelTerms }
  | { readonly kind: 'later'; readonly by: number }
  | { readonly kind: 'settle' }

/** `limit` null: overage has no limit. */
export interface ModelTerms {
  readonly overage: boolean
  readonly limit: bigint | null
}

export interface ModelGrant {
  initial: bigint
  remaining: bigint
  /** What usage has taken from it, less what was given back. */
  drawn: bigint
  /** What debits have taken from it, which is never given back. */
  debited: bigint
  endsAt: number | null
}

export interface ModelState {
  /** In the order in which they were granted. */
  grants: ModelGrant[]
  overage: bigint
  dropped: bigint
  unreturned: bigint
  terms: ModelTerms
  now: number
  /** How many commands were refused so far. */
  refused: number
}

/**
 * The account after a history, whether or not it was settled on the way. With `expiring`, credits
 * and debits first end the grants that are due.
 */
export function replay(history: readonly Step[], expiring = false): ModelState {
  let base = emptyState()
  // Only the difference to the worth at the base is placed.
  let worthAtBase = 0n
  const present = new Map<string, bigint>()

  for (const step of history) {
    if (step.kind === 'usage') present.set(step.meter, step.worth)
    if (step.kind === 'later') base.now += step.by
    if (step.kind === 'usage' || step.kind === 'later' || step.kind === 'settle') continue
    if (step.kind === 'terms' && sameTerms(step.terms, base.terms)) continue

    const worthNow = total(present)
    let settled = place(base, worthNow - worthAtBase)
    if (expiring && step.kind !== 'terms' && settled.grants.some((each) => isDue(each, base.now))) {
      const { now } = base
      settled = { ...settled, grants: settled.grants.filter((each) => !isDue(each, now)) }
      base = structuredClone(settled)
      worthAtBase = worthNow
    }
    if (step.kind === 'debit' && balanceOf(settled) < step.amount) {
      base.refused += 1
      continue
    }
    base = command(settled, step)
    worthAtBase = worthNow
  }

  return place(base, total(present) - worthAtBase)
}

/**
 * What grants that have not reached their end still hold [machines#boundaries].
 */
export function balanceOf(state: ModelState): bigint {
  let balance = 0n
  for (const grant of state.grants) if (!isDue(grant, state.now)) balance += grant.remaining
  return balance
}

function emptyState(): ModelState {
  return {
    grants: [],
    overage: 0n,
    dropped: 0n,
    unreturned: 0n,
    terms: { overage: false, limit: null },
    now: 0,
    refused: 0,
  }
}

function place(base: ModelState, demand: bigint): ModelState {
  const state = structuredClone(base)
  for (let unit = 0n; unit < demand; unit += 1n) takeOne(state)
  for (let unit = 0n; unit > demand; unit -= 1n) returnOne(state)
  return state
}

function takeOne(state: ModelState): void {
  if (state.unreturned > 0n) {
    state.unreturned -= 1n
    return
  }
  for (const grant of state.grants) {
    if (grant.remaining === 0n) continue
    grant.remaining -= 1n
    grant.drawn += 1n
    return
  }
  const { overage, limit } = state.terms
  if (overage && (limit === null || state.overage < limit)) state.overage += 1n
  else state.dropped += 1n
}

function returnOne(state: ModelState): void {
  if (state.dropped > 0n) {
    state.dropped -= 1n
    return
  }
  if (state.overage > 0n) {
    state.overage -= 1n
    return
  }
  for (const grant of [...state.grants].reverse()) {
    if (grant.drawn === 0n) continue
    grant.remaining += 1n
    grant.drawn -= 1n
    return
  }
  state.unreturned += 1n
}

function command(settled: ModelState, step: Step): ModelState {
  const state = structuredClone(settled)
  if (step.kind === 'terms') state.terms = step.terms
  if (step.kind === 'grant') {
    const { amount, lives } = step
    const endsAt = lives === null ? null : state.now + lives
    state.grants.push({ initial: amount, remaining: amount, drawn: 0n, debited: 0n, endsAt })
  }
  if (step.kind === 'debit') {
    for (let unit = 0n; unit < step.amount; unit += 1n) debitOne(state)
  }
  return state
}

function debitOne(state: ModelState): void {
  for (const grant of state.grants) {
    if (isDue(grant, state.now) || grant.remaining === 0n) continue
    grant.remaining -= 1n
    grant.debited += 1n
    return
  }
  throw new Error('a debit that the balance did not cover was let through')
}

/** A grant pays for nothing at `endsAt`: that moment belongs to what comes after. */
function isDue(grant: ModelGrant, now: number): boolean {
  return grant.endsAt !== null && grant.endsAt <= now
}

/** Setting the same terms again is no command. */
const sameTerms = (a: ModelTerms, b: ModelTerms): boolean =>
  a.overage === b.overage && a.limit === b.limit

function total(present: ReadonlyMap<string, bigint>): bigint {
  let sum = 0n
  for (const worth of present.values()) sum += worth
  return sum
}
