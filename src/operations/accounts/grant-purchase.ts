import type { Ledger } from '../../parts/store/ledger.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CartItem } from '../../rules/accounts/attached-credits.ts'
import { termsOf } from '../../rules/accounts/attached-credits.ts'
import { expiryAfter, grant } from '../../rules/accounts/commands.ts'
import { credits, formatCredits } from '../../rules/accounts/credits.ts'
import { commandAccounts } from '../boundaries/command-accounts.ts'
import type { CommandDesk } from '../boundaries/due-first.ts'
import type { Command } from './change.ts'
import { accountIdOf, saveAll } from './change.ts'

export interface PurchaseDesk extends CommandDesk {
  readonly ledger: Pick<Ledger, 'purchased'>
}

/** A one-time product that was paid for. */
export interface Purchase {
  readonly scope: Scope
  readonly customerId: string
  readonly paymentId: string
  /**
   * The effective credit settings of the product, each entitlement once.
   * [resources#attached-credits]
   */
  readonly mappings: readonly CartItem[]
  readonly quantity: number
  /** Of the payment; its grants and entries carry it. [resources#ledger-entries] */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * Issues the credits of a one-time purchase, `credits_amount` times quantity, each entitlement once
 * a payment however often this is asked: a payment that is told twice grants once. [credits#grants]
 */
export async function grantPurchase(desk: PurchaseDesk, purchase: Purchase): Promise<void> {
  const { scope, customerId, paymentId, mappings } = purchase
  const keys = mappings.map(({ creditEntitlementId: entitlementId }) => ({
    ...scope,
    customerId,
    entitlementId,
  }))
  const granted = () => desk.ledger.purchased(keys.map(accountIdOf), paymentId)
  let known = await granted()
  if (known.size === keys.length) return
  await commandAccounts(desk, {
    operation: 'purchase',
    customer: { ...scope, customerId },
    entitlementIds: keys.map(({ entitlementId }) => entitlementId),
    decide: (views) => ({
      commands: views.map((view, index) => {
        const item = mappings[index]
        const done = item === undefined || known.has(accountIdOf(view.key))
        return done ? () => null : granting(desk, purchase, item)
      }),
      // A grant moves its account's version: what was not granted here is not granted there if it
      // holds.
      write: async (changes) => {
        const now = await granted()
        if (now.size === known.size && (await saveAll(desk)(changes))) return true
        known = await granted()
        return false
      },
      answer: () => null,
    }),
  })
}

function granting({ newId }: PurchaseDesk, purchase: Purchase, item: CartItem): Command {
  const { paymentId, quantity, metadata = {} } = purchase
  return (projected) => {
    const { at } = projected
    const terms = termsOf(item, projected.precision)
    const amount = credits(terms.amount * BigInt(quantity))
    if (amount === 0n) return null
    const command = {
      grantId: newId('cgr'),
      amount,
      source: { type: 'one_time' as const, id: paymentId },
      // Only its own expiry ends it. [credits#cycle-end]
      cycleAt: null,
      expiresAt: expiryAfter(terms.expiresAfterDays, at),
      metadata,
      entryType: 'credit_added' as const,
      cause: {
        referenceType: 'payment' as const,
        referenceId: paymentId,
        description: null,
        metadata,
        inputs: {
          rule: 'purchase_grant',
          credits_amount: formatCredits(terms.amount, projected.precision),
          quantity,
        },
      },
    }
    return grant(projected.account, command, at)
  }
}
