import { Fault, notFound, refuse } from '../../faults.ts'
import type { AccountChange, AccountKey, AccountView } from '../../parts/store/accounts.ts'
import type { CatalogMetadata } from '../../rules/commerce/catalog/metadata.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import { debit, expiryAfter, grant } from '../../rules/credits/commands.ts'
import type { Credits } from '../../rules/credits/credits.ts'
import { parseCredits } from '../../rules/credits/credits.ts'
import type { Cause } from '../../rules/credits/entry.ts'
import { powerOfTen } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import type { AccountDesk, Command } from './change.ts'
import { accountIdOf, changeAccounts } from './change.ts'

export interface Adjustment {
  readonly key: AccountKey
  readonly type: 'credit' | 'debit'
  /** Plain decimal text, above 0. */
  readonly amount: string
  readonly reason: string | null
  readonly expiresAt: Instant | null
  readonly idempotencyKey: string | null
  readonly metadata: CatalogMetadata | null
  readonly at: Instant
}

/**
 * A manual credit or debit. Refuses: 404 unknown entitlement or customer; 409 idempotency key used
 * before on this account; 422 more decimals than the precision, or too many keys of metadata; 400
 * an amount of 10^10 and more, an oversize integer in metadata, or a debit over the balance.
 * [contract D.10, ruling 21]
 */
export async function adjustBalance(
  desk: AccountDesk,
  adjustment: Adjustment,
): Promise<AccountChange> {
  const { key, at, idempotencyKey } = adjustment
  // A repeat is told so before anything else is judged. [ruling 4]
  await refuseUsedKey(desk, adjustment)
  return changeAccounts(desk, {
    keys: [key],
    at,
    idempotencyKey,
    decide: ([view]) => [commandOf(desk, adjustment, view)],
    write: (changes) => write(desk, adjustment, changes),
    answer: ([change]) => {
      if (change === undefined) throw new Error('An adjustment without a change.')
      return change
    },
  })
}

function commandOf(
  desk: AccountDesk,
  adjustment: Adjustment,
  view: AccountView | undefined,
): Command {
  const { key, at } = adjustment
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
  const { expiresAfterDays } = view.entitlement
  return (projected) =>
    grant(
      projected.account,
      {
        grantId: desk.newId('cgr'),
        amount,
        source: { type: 'api', id: null },
        cycleAt: null,
        expiresAt: adjustment.expiresAt ?? expiryAfter(expiresAfterDays, at),
        metadata: adjustment.metadata,
        entryType: 'manual_adjustment',
        cause,
      },
      at,
    )
}

function debiting(amount: Credits, cause: Cause, at: Instant): Command {
  return (projected) => {
    const decided = debit(projected.account, { amount, cause }, at)
    if ('refused' in decided) throw new Fault('INSUFFICIENT_BALANCE', decided.refused)
    return decided
  }
}

/** Bounds are judged in the order of ruling 4: what the precision allows first, then the size. */
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

/** Looked up again on every try: two requests with one key race on the account's version. */
async function write(
  desk: AccountDesk,
  adjustment: Adjustment,
  changes: readonly AccountChange[],
): Promise<boolean> {
  await refuseUsedKey(desk, adjustment)
  return (await desk.accounts.save(changes)).size === changes.length
}

async function refuseUsedKey(
  desk: AccountDesk,
  { key, idempotencyKey }: Adjustment,
): Promise<void> {
  if (idempotencyKey === null) return
  if (!(await desk.accounts.adjusted(accountIdOf(key), idempotencyKey))) return
  throw new Fault(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency_key was already used on this balance; a new adjustment needs a new one.',
  )
}
