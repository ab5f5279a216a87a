import { Fault, notFound, refuse } from '../../faults.ts'
import type { AccountChange, AccountCommand } from '../../rules/accounts/change.ts'
import { debit, expiryAfter, grant } from '../../rules/accounts/commands.ts'
import type { Credits } from '../../rules/accounts/credits.ts'
import { parseCredits } from '../../rules/accounts/credits.ts'
import type { Cause } from '../../rules/accounts/entry.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { CatalogMetadata } from '../../rules/commerce/catalog/metadata.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import { powerOfTen } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import { commandAccounts } from '../boundaries/command-accounts.ts'
import type { CommandDesk } from '../boundaries/due-first.ts'
import { accountIdOf } from './account-id.ts'

export interface Adjustment {
  readonly key: AccountKey
  readonly type: 'credit' | 'debit'
  /** Plain decimal text, above 0. */
  readonly amount: string
  readonly reason: string | null
  readonly expiresAt: Instant | null
  readonly idempotencyKey: string | null
  readonly metadata: CatalogMetadata | null
}

/**
 * A manual credit or debit. Refuses: 404 unknown entitlement or customer; 409 idempotency key used
 * before on this account; 422 more decimals than the precision, or too many keys of metadata; 400
 * an amount of 10^10 and more, an oversize integer in metadata, or a debit over the balance.
 * [resources#adjustments]
 */
export async function adjustBalance(
  desk: CommandDesk,
  adjustment: Adjustment,
): Promise<AccountChange> {
  const { key, idempotencyKey } = adjustment
  return commandAccounts(desk, {
    operation: 'adjust_balance',
    customer: key,
    entitlementIds: [key.entitlementId],
    // A repeat is told so before anything else is judged. [requests#refusals]
    look: () => refuseUsedKey(desk, adjustment),
    decide: ([view], { at }) => ({
      commands: [commandOf(desk, adjustment, { view, at })],
      idempotencyKey,
      answer: ([change]) => {
        if (change === undefined) throw new Error('An adjustment without a change.')
        return change
      },
    }),
  })
}

function commandOf(
  desk: CommandDesk,
  adjustment: Adjustment,
  { view, at }: { readonly view: AccountView | undefined; readonly at: Instant },
): AccountCommand {
  const { key } = adjustment
  if (view === undefined || view.entitlement === null || view.entitlement.deleted) {
    throw notFound('credit entitlement', key.entitlementId)
  }
  if (!view.customerExists) throw notFound('customer', key.customerId)
  const amount = amountOf(adjustment.amount, view.entitlement.precision)
  refuse(metadataRejection(adjustment.metadata ?? {}))
  const cause: Cause = {
    referenceType: 'api',
    referenceId: null,
    description: adjustment.reason,
    metadata: adjustment.metadata ?? {},
    inputs: { rule: `manual_${adjustment.type}`, amount: adjustment.amount },
  }
  if (adjustment.type === 'debit') return debiting(amount, cause, at)
  const { expiresAt } = adjustment
  // Judged again where it is decided: it may have waited. [credits#grants]
  if (expiresAt !== null && expiresAt <= at) throw pastExpiry()
  const { expiresAfterDays } = view.entitlement
  return (projected) =>
    grant(
      projected.account,
      {
        grantId: desk.newId('cgr'),
        amount,
        source: { type: 'api', id: null },
        cycleAt: null,
        expiresAt: expiresAt ?? expiryAfter(expiresAfterDays, at),
        metadata: adjustment.metadata,
        entryType: 'manual_adjustment',
        cause,
      },
      at,
    )
}

/** At least in the future; no floor of days. [credits#grants] */
export const pastExpiry = (): Fault =>
  new Fault('INVALID_REQUEST_BODY', 'expires_at must be in the future.')

function debiting(amount: Credits, cause: Cause, at: Instant): AccountCommand {
  return (projected) => {
    const decided = debit(projected.account, { amount, cause }, at)
    if ('refused' in decided) throw new Fault('INSUFFICIENT_BALANCE', decided.refused)
    return decided
  }
}

/** What the precision allows is judged first, then the size. [requests#refusals] */
function amountOf(text: string, precision: number): Credits {
  const amount = parseCredits(text, precision)
  if (amount === null) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      `amount must have at most ${precision} digits after the point, as the entitlement says.`,
    )
  }
  if (amount >= powerOfTen(10 + precision)) {
    throw new Fault('INVALID_REQUEST_PARAMETERS', 'amount must be below 10000000000.')
  }
  return amount
}

async function refuseUsedKey(
  desk: CommandDesk,
  { key, idempotencyKey }: Adjustment,
): Promise<void> {
  if (idempotencyKey === null) return
  if (!(await desk.accounts.adjusted(accountIdOf(key), idempotencyKey))) return
  throw new Fault(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency_key was already used on this balance; a new adjustment needs a new one.',
  )
}
