import { entitlementGrants } from '../../src/parts/store/postgres/entitlements/entitlement-grants.ts'
import { storedFiles } from '../../src/parts/store/postgres/files/stored-files.ts'
import { licenseKeys } from '../../src/parts/store/postgres/licenses/license-keys.ts'
import { refunds } from '../../src/parts/store/postgres/payments/refunds.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { StoredFile } from '../../src/rules/commerce/catalog/stored-file.ts'
import type { EntitlementGrant } from '../../src/rules/commerce/entitlements/entitlement-grant.ts'
import {
  restoredGrant,
  revokedGrant,
} from '../../src/rules/commerce/entitlements/entitlement-grant.ts'
import type { LicenseKeyInstance } from '../../src/rules/commerce/licenses/license-key.ts'
import type { Refund } from '../../src/rules/commerce/refunds/refund.ts'
import { refundAfter } from '../../src/rules/commerce/refunds/refund.ts'
import { after, second } from '../../src/std/instant.ts'
import { paymentOf } from '../rules/commerce/payments/purchases.ts'
import { decidedAt as at } from '../support/store/decided.ts'
import { entitlementRowWith, licenseKeyRow } from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'

const later = after(at, second)

/**
 * Nouns of what is bought and given back, each with the rows that its changes need beside it: a new
 * row, changes of it, how it is read.
 */
export const boughtNouns = (
  open: () => { readonly store: ScratchStore; readonly scope: Scope },
) => ({
  refund: () => {
    const { store, scope } = open()
    const payment = paymentOf({
      paymentId: store.newId('pay'),
      status: 'succeeded',
      paidAt: at,
      createdAt: at,
      updatedAt: at,
    })
    const row: Refund = {
      refundId: store.newId('ref'),
      paymentId: payment.paymentId,
      brandId: scope.businessId,
      customerId: payment.customerId,
      subscriptionId: null,
      status: 'pending',
      currency: 'EUR',
      amount: 119,
      tax: 19,
      lines: [{ itemId: 'pdt_1', amount: 119, tax: 19 }],
      isPartial: true,
      asked: 'a digest',
      reason: null,
      metadata: { asked: 'by mail' },
      version: 1,
      createdAt: at,
      updatedAt: at,
    }
    const settled = (outcome: 'succeeded' | 'failed') => {
      const next = refundAfter(row, outcome, later)
      if (next === null) throw new Error('It cannot get there.')
      return next
    }
    /** With its payment: so of two that come at once one is written. */
    const paid = { noun: 'payment', expected: 1, row: { ...payment, version: 2 } } as const
    const next = settled('succeeded')
    return {
      id: row.refundId,
      before: [{ noun: 'payment', expected: null, row: payment }] as const,
      made: { noun: 'refund', expected: null, row } as const,
      changed: [paid, { noun: 'refund', expected: 1, row: next }] as const,
      again: [paid, { noun: 'refund', expected: 1, row: settled('failed') }] as const,
      read: () => refunds(store.db).get(scope, row.refundId),
      seen: [row, next] as const,
    }
  },
  file: () => {
    const { store, scope } = open()
    const row: StoredFile = {
      fileId: crypto.randomUUID(),
      kind: 'digital',
      ownerId: store.newId('ent'),
      digest: 'ab'.repeat(32),
      bytes: 2 ** 40,
      mediaType: 'application/pdf',
      fileName: 'Grüße.pdf',
      createdAt: at,
      deletedAt: null,
    }
    const next = { ...row, deletedAt: later }
    const changed = { noun: 'file', expected: row } as const
    return {
      id: row.fileId,
      made: { noun: 'file', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: { ...row, deletedAt: after(later, second) } } as const,
      read: () => storedFiles(store.db).get(scope, row.fileId),
      seen: [row, next] as const,
    }
  },
  license_key_instance: () => {
    const { store, scope } = open()
    const key = licenseKeyRow(store.newId, at)
    const row: LicenseKeyInstance = {
      instanceId: store.newId('lki'),
      licenseKeyId: key.licenseKeyId,
      name: 'a laptop',
      createdAt: at,
    }
    const inUse = { ...key, instancesCount: 1, updatedAt: later }
    const next = { ...row, name: 'a better one' }
    const kept = { noun: 'license_key_instance', ends: false } as const
    const freed = { ...inUse, instancesCount: 0, updatedAt: after(later, second) }
    return {
      id: row.instanceId,
      before: [{ noun: 'license_key', expected: null, row: key }] as const,
      made: [
        { noun: 'license_key', expected: at, row: inUse },
        { ...kept, expected: null, row },
      ] as const,
      changed: { ...kept, expected: row, row: next } as const,
      // To end its use where it is called otherwise by now is to have decided on what is no more.
      again: [
        { noun: 'license_key', expected: later, row: freed },
        { ...kept, expected: row, row, ends: true },
      ] as const,
      read: () => licenseKeys(store.db).instance(scope, row.instanceId),
      seen: [row, next] as const,
    }
  },
  entitlement_grant: () => {
    const { store, scope } = open()
    const entitlement = entitlementRowWith(store.newId('ent'), at)
    const row: EntitlementGrant = {
      grantId: store.newId('entg'),
      entitlementId: entitlement.entitlementId,
      integrationType: 'digital_files',
      customerId: store.newId('cus'),
      brandId: scope.businessId,
      productId: store.newId('pdt'),
      paymentId: store.newId('pay'),
      subscriptionId: null,
      status: 'Pending',
      revocationReason: null,
      errorCode: null,
      errorMessage: null,
      oauthUrl: 'https://example.com/accept',
      oauthExpiresAt: later,
      metadata: {},
      deliveredAt: null,
      revokedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    const next = restoredGrant(row, true, later)
    const changed = { noun: 'entitlement_grant', expected: row.updatedAt } as const
    return {
      id: row.grantId,
      before: [{ noun: 'product_entitlement', expected: null, row: entitlement }] as const,
      made: { noun: 'entitlement_grant', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: revokedGrant(row, 'refund', later) } as const,
      read: () => entitlementGrants(store.db).get(scope, row.grantId),
      seen: [row, next] as const,
    }
  },
})
