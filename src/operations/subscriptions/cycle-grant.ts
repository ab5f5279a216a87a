import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { GrantCommand } from '../../rules/credits/commands.ts'
import type { Credits } from '../../rules/credits/credits.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'

/** Credits that a subscription issues: at its start, at a cycle's, on a new plan. [contract D.3] */
export function cycleGrant(
  newId: NewId,
  { subscriptionId, metadata, quantity }: Subscription,
  issued: {
    readonly amount: Credits
    /** Of one of its quantity, as plain decimal text. */
    readonly creditsAmount: string
    readonly cycleAt: Instant
    readonly expiresAt: Instant | null
    /** Why, where it is not a cycle's beginning. */
    readonly inputs?: Readonly<Record<string, unknown>>
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
        rule: 'cycle_grant',
        credits_amount: issued.creditsAmount,
        quantity,
        ...issued.inputs,
      },
    },
  }
}
