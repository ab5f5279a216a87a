import assert from 'node:assert/strict'
import type { Instant } from '../../std/instant.ts'
import type { Account, Charge } from './account.ts'
import { rebased, settledDemand } from './account.ts'
import type { Cause } from './cause.ts'
import type { Credits } from './credits.ts'
import { formatCredits, minus, noCredits, plus } from './credits.ts'
import type { Entry } from './entry.ts'
import { difference } from './entry.ts'
import { place } from './place.ts'
import type { OverageTerms } from './terms.ts'
import { sameOverageTerms } from './terms.ts'

/** What one cycle's usage of a meter through one route is worth now. */
export interface Worth {
  readonly routeId: string
  readonly meterId: string
  readonly cycleAt: Instant
  readonly worth: Credits
}

/** An account after something was done to it, and the entries that say what. */
export interface Decided {
  readonly account: Account
  readonly entries: readonly Entry[]
  /**
   * The balance from which a low balance is judged; absent: the one before. What is one event for
   * the customer may be two changes, such as a cycle's end and its payment. [credits#low-balance]
   */
  readonly lowFrom?: Credits
}

/**
 * Makes what was charged equal to what usage is worth. Running it twice, late, in other steps or
 * after a crash ends in the same state; only the entries may be cut differently.
 * [machines#settling, guarantees#determinism]
 *
 * Changed overage terms act on what is settled from here on, so the stored state becomes the base
 * first.
 */
export function settle(
  account: Account,
  usage: { readonly worths: readonly Worth[]; readonly overage: OverageTerms },
  at: Instant,
): Decided {
  const start = sameOverageTerms(account.overageTerms, usage.overage)
    ? account
    : { ...rebased(account), overageTerms: usage.overage }
  return changesOf(start, usage.worths).reduce<Decided>(
    (sofar, change) => {
      const step = settleOne(sofar.account, change, at)
      return { account: step.account, entries: [...sofar.entries, ...step.entries] }
    },
    { account: start, entries: [] },
  )
}

interface Change {
  readonly charge: Charge
  readonly delta: Credits
}

/**
 * Meter by meter, falls first. The order is total, so two settlings of the same usage make the same
 * entries.
 */
function changesOf(account: Account, worths: readonly Worth[]): readonly Change[] {
  const charges = new Map(account.charges.map((charge) => [chargeKey(charge), charge]))
  return worths
    .map((worth) => {
      const charge = charges.get(chargeKey(worth)) ?? unchargedOf(worth)
      return { charge, delta: minus(worth.worth, charge.charged) }
    })
    .filter((change) => change.delta !== 0n)
    .toSorted((a, b) => {
      if (a.delta < 0n !== b.delta < 0n) return a.delta < 0n ? -1 : 1
      return chargeKey(a.charge) < chargeKey(b.charge) ? -1 : 1
    })
}

const unchargedOf = ({ routeId, meterId, cycleAt }: Worth): Charge => ({
  routeId,
  meterId,
  cycleAt,
  charged: noCredits,
  base: noCredits,
})

const chargeKey = (of: { routeId: string; meterId: string; cycleAt: Instant }): string =>
  `${of.meterId} ${of.routeId} ${of.cycleAt}`

function settleOne(account: Account, { charge, delta }: Change, at: Instant): Decided {
  const charged = plus(charge.charged, delta)
  const demand = plus(settledDemand(account), delta)
  const next = place(account.base, demand, account.overageTerms)
  const entries = difference(account, next, {
    type: delta > 0n ? 'credit_deducted' : 'refund',
    cause: causeOf(account, charge, charged, next.dropped),
    at,
  })
  const others = account.charges.filter((other) => chargeKey(other) !== chargeKey(charge))
  const settled: Account = {
    ...account,
    entries: account.entries + entries.length,
    state: next,
    charges: [...others, { ...charge, charged }],
  }
  assert(settledDemand(settled) === demand)
  return { account: settled, entries }
}

function causeOf(account: Account, charge: Charge, charged: Credits, dropped: Credits): Cause {
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    referenceType: 'meter',
    referenceId: charge.meterId,
    description: null,
    metadata: {},
    inputs: {
      rule: charged > charge.charged ? 'usage_deducted' : 'usage_returned',
      routeId: charge.routeId,
      meterId: charge.meterId,
      cycleAt: charge.cycleAt,
      worthBefore: text(charge.charged),
      worthAfter: text(charged),
      worthAtBase: text(charge.base),
      droppedInCycle: text(dropped),
    },
  }
}
