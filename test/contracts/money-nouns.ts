import { licenseKeys } from '../../src/parts/store/postgres/licenses/license-keys.ts'
import { disputes } from '../../src/parts/store/postgres/payments/disputes.ts'
import { payouts } from '../../src/parts/store/postgres/payments/payouts.ts'
import { users } from '../../src/parts/store/postgres/people/users.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { User } from '../../src/parts/store/users.ts'
import type { Dispute } from '../../src/rules/commerce/disputes/dispute.ts'
import { movedDispute } from '../../src/rules/commerce/disputes/dispute.ts'
import { markedPayout } from '../../src/rules/commerce/payouts/payout.ts'
import { after, second } from '../../src/std/instant.ts'
import { decidedAt as at } from '../support/store/decided.ts'
import { licenseKeyRow, payoutRow } from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'

const later = after(at, second)
const times = { createdAt: at, updatedAt: at }

/** What became of a row; the rules give it wherever it can get there. */
function become<T>(row: T | null): T {
  if (row === null) throw new Error('It cannot get there.')
  return row
}

/** Nouns of money and of those who look after it: a new row, changes of it, how it is read. */
export const moneyNouns = (
  open: () => { readonly store: ScratchStore; readonly scope: Scope },
) => ({
  dispute: () => {
    const { store, scope } = open()
    const row: Dispute = {
      disputeId: store.newId('dis'),
      paymentId: store.newId('pay'),
      brandId: scope.businessId,
      customerId: store.newId('cus'),
      status: 'dispute_opened',
      stage: 'dispute',
      currency: 'JPY',
      amount: 700,
      resolvedRapidly: false,
      reason: 'not as described',
      remarks: null,
      answerBy: later,
      version: 1,
      ...times,
    }
    const to = { status: 'dispute_challenged', remarks: 'proof', at: later } as const
    const next = become(movedDispute(row, to))
    const other = become(movedDispute(row, { ...to, status: 'dispute_accepted' }))
    return {
      id: row.disputeId,
      made: { noun: 'dispute', expected: null, row } as const,
      changed: { noun: 'dispute', expected: 1, row: next } as const,
      again: { noun: 'dispute', expected: 1, row: other } as const,
      read: () => disputes(store.db).get(scope, row.disputeId),
      seen: [row, next] as const,
    }
  },
  payout: () => {
    const { store, scope } = open()
    const row = payoutRow(store.newId, at)
    const next = become(markedPayout(row, { status: 'on_hold', remarks: 'papers', at: later }))
    const other = become(markedPayout(row, { status: 'failed', remarks: null, at: later }))
    const changed = { noun: 'payout', expected: 1, newestEntryId: null } as const
    return {
      id: row.payoutId,
      // No ledger has any entries yet.
      made: { noun: 'payout', expected: null, row, newestEntryId: null } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: other } as const,
      read: () => payouts(store.db).get(scope, row.payoutId),
      seen: [row, next] as const,
    }
  },
  license_key: () => {
    const { store, scope } = open()
    const row = { ...licenseKeyRow(store.newId, at), expiresAt: later }
    const id = row.licenseKeyId
    const next = { ...row, activationsLimit: null, expiresAt: null, updatedAt: later }
    const changed = { noun: 'license_key', expected: row.updatedAt } as const
    return {
      id,
      made: { noun: 'license_key', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: { ...next, disabled: true } } as const,
      read: () => licenseKeys(store.db).get(scope, id),
      seen: [row, next] as const,
    }
  },
  user: () => {
    const { store, scope } = open()
    const userId = store.newId('usr')
    const row: User = {
      userId,
      businessId: scope.businessId,
      email: `${userId.toLowerCase()}@example.com`,
      name: null,
      role: 'viewer',
      password: null,
      setupHash: Buffer.alloc(32, 7),
      setupEndsAt: later,
      version: 1,
      createdAt: at,
      removedAt: null,
    }
    const next = { ...row, password: 'kept', setupHash: null, setupEndsAt: null, version: 2 }
    return {
      id: userId,
      made: { noun: 'user', expected: null, row } as const,
      changed: { noun: 'user', expected: row, row: next } as const,
      again: { noun: 'user', expected: row, row: { ...next, removedAt: later } } as const,
      read: () => users(store.db).get(userId),
      seen: [row, next] as const,
    }
  },
})
