import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import { termsOf } from '../../accounts/attached-credits.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import type { GrantCommand } from '../../accounts/commands.ts'
import { earliest, expiryAfter } from '../../accounts/commands.ts'
import type { Credits } from '../../accounts/credits.ts'
import { parseCredits } from '../../accounts/credits.ts'
import { payCycle } from '../../accounts/cycle-end.ts'
import type { CreditTerms } from '../../accounts/terms.ts'
import { grantOfCycle } from './cycle-grant.ts'
import type { Dues, RenewalOutcome } from './dues.ts'
import { failedDues } from './dues.ts'
import { pauseHeard } from './pause-settlement.ts'
import type { Subscription } from './subscription.ts'
import { isOver } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'

/** The entitlements of which the news may touch accounts. */
export const duesEntitlements = ({ cart, dues, leaving }: Subscription): readonly string[] => [
  ...new Set([
    ...[...cart, ...(dues?.pause === undefined ? [] : leaving)].map(
      (item) => item.creditEntitlementId,
    ),
    ...Object.keys(dues?.held ?? {}),
  ]),
]

/**
 * What becomes of a subscription with the news of its latest attempt. Paid: it is active, and the
 * open cycle's credits come. Failed: it is on hold, and is tried again. One that is over meanwhile
 * stays so, and has the credits that it paid for until the end of the cycle.
 * [subscriptions#renewals, subscriptions#dunning]
 */
export function renewalHeard(
  before: Subscription,
  dues: Dues,
  of: {
    readonly outcome: RenewalOutcome
    readonly at: Instant
    /** Log time: what is received from then on belongs to what follows. */
    readonly log: Instant
    readonly newId: NewId
    /** Whether trying again could help. */
    readonly canRetry: boolean
  },
): SubscriptionChange {
  if (dues.pause !== undefined) {
    return pauseHeard(before, dues, { ...of, at: laterOf(of.at, before.updatedAt) })
  }
  const after: Subscription = {
    ...before,
    ...statusAfter(before, dues, of),
    version: before.version + 1,
    updatedAt: laterOf(of.at, before.updatedAt),
  }
  const commands = duesEntitlements(before).map(
    (id) => [id, heardBy(id, { before, after, dues, ...of })] as const,
  )
  return { after, commands: new Map(commands) }
}

function statusAfter(
  before: Subscription,
  dues: Dues,
  of: Pick<Parameters<typeof renewalHeard>[2], 'at' | 'canRetry' | 'outcome'>,
): Pick<Subscription, 'status' | 'dues'> {
  const { status } = before
  if (of.outcome === 'waits') return { status, dues: { ...dues, held: {} } }
  if (isOver(before)) return { status, dues: null }
  return of.outcome === 'paid'
    ? { status: 'active', dues: null }
    : { status: 'on_hold', dues: failedDues(dues, of.at, of.canRetry) }
}

function heardBy(
  entitlementId: string,
  of: {
    readonly before: Subscription
    readonly after: Subscription
    readonly dues: Dues
    readonly outcome: RenewalOutcome
    readonly at: Instant
    readonly newId: NewId
  },
): AccountCommand {
  return ({ account, governing, overage, precision }) => {
    const lowFrom = heldIn(of.dues, entitlementId, precision)
    const low = lowFrom === null ? {} : { lowFrom }
    const item = of.before.cart.find((each) => each.creditEntitlementId === entitlementId)
    if (of.outcome !== 'paid' || item === undefined) return { account, entries: [], ...low }
    const terms = termsOf(item, precision)
    const next = grantPaid(terms, precision, of)
    const over = isOver(of.before)
    if (next === null || (over && of.before.nextBillingDate <= of.at)) {
      return { account, entries: [], ...low }
    }
    const begun = laterOf(of.at, of.before.previousBillingDate)
    const own = expiryAfter(terms.expiresAfterDays, begun)
    const { subscriptionId, nextBillingDate } = of.before
    const decided = payCycle(account, {
      next: { ...next, expiresAt: over ? earliest(own, nextBillingDate) : own },
      overage: governing?.subscriptionId === subscriptionId ? { behavior: overage.behavior } : null,
      at: of.at,
    })
    return { ...decided, ...low }
  }
}

/** The credits of the open cycle, or those that a plan change has promised. */
function grantPaid(
  terms: CreditTerms,
  precision: number,
  {
    newId,
    before,
    after,
    dues: { change, paymentId },
  }: Pick<Parameters<typeof heardBy>[1], 'after' | 'before' | 'dues' | 'newId'>,
): GrantCommand | null {
  const amount = change?.inTrial === true ? terms.trial.amount : terms.amount
  if (amount === null) return null
  const issuing =
    change === null
      ? ({ rule: 'cycle_grant', endedAt: before.previousBillingDate } as const)
      : ({
          rule: 'plan_change_grant',
          billingMode: change.mode,
          previousProductId: change.previousProductId,
          paymentId,
          inTrial: change.inTrial,
        } as const)
  return grantOfCycle(newId, after, { terms: { ...terms, amount }, precision, issuing })
}

function heldIn({ held }: Dues, entitlementId: string, precision: number): Credits | null {
  const text = held[entitlementId]
  return text === undefined ? null : parseCredits(text, precision)
}
