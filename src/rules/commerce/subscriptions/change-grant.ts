import assert from 'node:assert/strict'
import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import { termsOf } from '../../accounts/attached-credits.ts'
import { earliest, expiryAfter } from '../../accounts/commands.ts'
import type { Credits } from '../../accounts/credits.ts'
import { credits } from '../../accounts/credits.ts'
import type { CreditTerms } from '../../accounts/terms.ts'
import { isInTrial } from './lifecycle.ts'
import type { Rest } from './plan-change.ts'
import type { Subscription } from './subscription.ts'

/** Credits that a plan change issues while the cycle goes on. */
export interface ChangeGrant {
  /** Above 0. */
  readonly amount: Credits
  /** The amount for a quantity of one, before proration. */
  readonly each: Credits
  readonly cycleAt: Instant
  readonly expiresAt: Instant | null
}

/**
 * What the new plan issues at once when the change keeps the cycle; null: nothing. In a trial these
 * are the new plan's trial credits. Like the trial credits of a beginning subscription, they end
 * with the trial or belong to the first paid cycle. [credits#grants, credits#overage,
 * subscriptions#trials]
 */
export function grantOnChange(
  { before, after }: { readonly before: Subscription; readonly after: Subscription },
  { item, precision, rest }: { item: CartItem; precision: number; rest: Rest },
): ChangeGrant | null {
  const terms = termsOf(item, precision)
  const { updatedAt: at, quantity } = after
  const inTrial = isInTrial(before)
  const each = inTrial ? terms.trial.amount : terms.amount
  if (each === null) return null
  const amount = scaled(item, credits(each * BigInt(quantity)), rest)
  if (amount === 0n) return null
  return { amount, each, ...placeOf(before, { terms, inTrial, at }) }
}

/**
 * `prorate` scales the credits by what is left of the cycle, cut to the precision; `no_prorate`
 * issues all of them. [credits#grants]
 */
function scaled({ prorationBehavior }: CartItem, full: Credits, { left, of }: Rest): Credits {
  const issued = prorationBehavior === 'prorate' ? (full * left) / of : full
  assert(issued >= 0n && issued <= full)
  return credits(issued)
}

function placeOf(
  { previousBillingDate, nextBillingDate }: Subscription,
  { terms, inTrial, at }: { terms: CreditTerms; inTrial: boolean; at: Instant },
): Pick<ChangeGrant, 'cycleAt' | 'expiresAt'> {
  const own = expiryAfter(terms.expiresAfterDays, at)
  if (!inTrial) return { cycleAt: previousBillingDate, expiresAt: own }
  return terms.trial.expireAfterTrial
    ? { cycleAt: previousBillingDate, expiresAt: earliest(own, nextBillingDate) }
    : { cycleAt: nextBillingDate, expiresAt: own }
}
