import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import { rolloverTermsOf } from '../../accounts/attached-credits.ts'
import type { Issuing } from '../../accounts/cause.ts'
import type { GrantCommand } from '../../accounts/commands.ts'
import { expiryAfter } from '../../accounts/commands.ts'
import type { Credits } from '../../accounts/credits.ts'
import { credits, formatCredits } from '../../accounts/credits.ts'
import type { CreditTerms, RolloverTerms } from '../../accounts/terms.ts'
import type { Subscription } from './subscription.ts'

/** The full credits of a cycle, times quantity; null: none. */
export function grantOfCycle(
  newId: NewId,
  subscription: Subscription,
  of: {
    readonly terms: CreditTerms
    readonly precision: number
    readonly issuing: Issuing
  },
): GrantCommand | null {
  const { previousBillingDate: cycleAt, quantity } = subscription
  const { terms, precision, issuing } = of
  const amount = credits(terms.amount * BigInt(quantity))
  if (amount === 0n) return null
  const expiresAt = expiryAfter(terms.expiresAfterDays, cycleAt)
  const creditsAmount = formatCredits(terms.amount, precision)
  return cycleGrant(newId, subscription, { amount, creditsAmount, cycleAt, expiresAt, issuing })
}

/**
 * The rollover terms of a cycle that ends. Credits that the cycle did not carry do not roll over.
 */
export const rolloverOf = (ending: CartItem | null): RolloverTerms =>
  ending === null
    ? { enabled: false, percentage: null, timeframe: null, countMax: null }
    : rolloverTermsOf(ending)

/**
 * A grant of a subscription: at its start, at the start of a cycle, on a new plan. [credits#grants]
 */
export function cycleGrant(
  newId: NewId,
  { subscriptionId, metadata, quantity }: Subscription,
  issued: {
    readonly amount: Credits
    /** The amount for a quantity of one, as plain decimal text. */
    readonly creditsAmount: string
    readonly cycleAt: Instant
    readonly expiresAt: Instant | null
    /** Why it is issued, where that is not the beginning of a cycle. */
    readonly issuing?: Issuing
  },
): GrantCommand {
  return {
    grantId: newId('cgr'),
    amount: issued.amount,
    source: { type: 'subscription', id: subscriptionId },
    cycleAt: issued.cycleAt,
    expiresAt: issued.expiresAt,
    metadata,
    entryType: 'credit_added',
    cause: {
      referenceType: 'subscription',
      referenceId: subscriptionId,
      description: null,
      metadata,
      inputs: {
        ...(issued.issuing ?? { rule: 'cycle_grant' }),
        creditsAmount: issued.creditsAmount,
        quantity,
      },
    },
  }
}
