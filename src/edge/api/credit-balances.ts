import { Fault, notFound, refuse } from '../../faults.ts'
import { accountIdOf } from '../../operations/accounts/account-id.ts'
import { adjustBalance } from '../../operations/accounts/adjust-balance.ts'
import type { AccountReading } from '../../operations/accounts/read-accounts.ts'
import { readAccounts, readingOf } from '../../operations/accounts/read-accounts.ts'
import { settleForReading } from '../../operations/accounts/settle-accounts.ts'
import type { DueFirstNeeds } from '../../operations/boundaries/due-first.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import type { GrantStatus, Ledger } from '../../parts/store/ledger.ts'
import { pastExpiry } from '../../rules/accounts/adjustment.ts'
import type { ReadAccount } from '../../rules/accounts/read-account.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import { creditTransactionTypes } from '../../rules/facts/ledger-facts.ts'
import type { Instant } from '../../std/instant.ts'
import { parseInstant } from '../../std/instant.ts'
import { customerCreditBalance } from '../../wire/credit-balance.ts'
import { creditGrant } from '../../wire/credit-grant.ts'
import { toCreditLedgerEntry } from '../../wire/credit-ledger-entry.ts'
import {
  ledgerAdjustment,
  ledgerAdjustmentView,
  wantedAdjustment,
} from '../../wire/ledger-adjustment.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseChoice, parsePage, parseTime } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { created, ok, route } from '../http/route.ts'

export interface BalanceNeeds extends DueFirstNeeds {
  readonly ledger: Ledger
  readonly positions: PositionNeeds
}

/**
 * Balances, grants and ledger of a credit entitlement. [resources#credit-entitlements,
 * resources#balances, resources#adjustments]
 */
export function creditBalances(needs: BalanceNeeds): readonly Route[] {
  const base = '/credit-entitlements/:id/balances'
  return [
    route('GET', base, 'read', list),
    route('GET', `${base}/:customer_id`, 'read', retrieve),
    route('GET', `${base}/:customer_id/grants`, 'read', listGrants),
    route('GET', `${base}/:customer_id/ledger`, 'read', listLedger),
    route('POST', `${base}/:customer_id/ledger-entries`, 'write', createEntry),
  ]

  async function list(request: Request): Promise<Reply> {
    const wanted = parsePage(request)
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const entitlementId = request.param('id')
    await existing(request, keyOf(request, ''))
    const filter = { entitlementId, customerId: request.query('customer_id') }
    const keys = await needs.ledger.accountsOf(request.caller, filter, wanted)
    const readings = await readAccounts(needs, keys)
    return ok(
      page(readings.flatMap(({ read }) => (read === null ? [] : customerCreditBalance(read)))),
    )
  }

  async function retrieve(request: Request): Promise<Reply> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const key = keyOf(request, request.param('customer_id'))
    const [reading] = await readAccounts(needs, [key])
    return ok(customerCreditBalance(readable(key, reading)))
  }

  async function listGrants(request: Request): Promise<Reply> {
    const wanted = parsePage(request)
    const status = parseChoice(request, 'status', grantStatuses)
    const key = await settled(request)
    const filter = { status, at: request.at }
    const grants = await needs.ledger.grants(accountIdOf(key), filter, wanted)
    return ok(page(grants.map((grant) => creditGrant(grant, { ...key, at: request.at }))))
  }

  async function listLedger(request: Request): Promise<Reply> {
    const wanted = parsePage(request)
    const filter = {
      type: parseChoice(request, 'transaction_type', creditTransactionTypes),
      from: parseTime(request, 'start_date'),
      to: parseTime(request, 'end_date'),
    }
    const key = await settled(request)
    const entries = await needs.ledger.entries(accountIdOf(key), filter, wanted)
    return ok(page(entries.map(toCreditLedgerEntry)))
  }

  async function createEntry(request: Request): Promise<Reply> {
    const wanted = wantedAdjustment(parse(ledgerAdjustment, request.body))
    if (wanted.type === 'debit' && wanted.expiresAt !== null) {
      throw new Fault('INVALID_REQUEST_BODY', 'expires_at goes with entry_type credit only.')
    }
    const expiresAt = futureOf(wanted.expiresAt, request.at)
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const key = keyOf(request, request.param('customer_id'))
    const change = await adjustBalance(needs, { ...wanted, key, expiresAt })
    return created(ledgerAdjustmentView(change, wanted.type))
  }

  /** Waits for measuring and settles like the balance itself, and throws the same 404s. */
  async function settled(request: Request): Promise<AccountKey> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const key = keyOf(request, request.param('customer_id'))
    readable(key, readingOf(await settleForReading(needs, key), needs.clock.now()))
    return key
  }

  async function existing(request: Request, key: AccountKey): Promise<void> {
    const [view] = await needs.accounts.load([key])
    if (view !== undefined && isReadable(view)) return
    throw notFound('credit entitlement', request.param('id'))
  }
}

const grantStatuses: readonly GrantStatus[] = ['active', 'expired', 'depleted']

const keyOf = (request: Request, customerId: string): AccountKey => ({
  businessId: request.caller.businessId,
  mode: request.caller.mode,
  customerId,
  entitlementId: request.param('id'),
})

/** Everything under a deleted entitlement is 404. [resources#credit-entitlements] */
const isReadable = (view: AccountView): boolean =>
  view.entitlement !== null && !view.entitlement.deleted

function readable(key: AccountKey, reading: AccountReading | undefined): ReadAccount {
  const read = reading === undefined || !isReadable(reading.view) ? null : reading.read
  if (read === null) throw noBalance(key)
  return read
}

const noBalance = ({ customerId, entitlementId }: AccountKey): Fault =>
  new Fault(
    'NOT_FOUND',
    `There is no balance of customer '${customerId}' under credit entitlement '${entitlementId}'.`,
  )

function futureOf(text: string | null, at: Instant): Instant | null {
  const expiresAt = text === null ? null : parseInstant(text)
  refuse(expiresAt !== null && expiresAt <= at ? pastExpiry : null)
  return expiresAt
}
