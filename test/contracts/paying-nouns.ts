import { checkoutSessions } from '../../src/parts/store/postgres/payments/checkout-sessions.ts'
import { payments } from '../../src/parts/store/postgres/payments/payments.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { newSession } from '../../src/rules/commerce/payments/checkout-session.ts'
import { after, second } from '../../src/std/instant.ts'
import { item, paymentOf } from '../rules/commerce/payments/purchases.ts'
import { checkoutFor } from '../support/payments/checkouts.ts'
import { decidedAt as at } from '../support/store/decided.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'

const later = after(at, second)

/** Nouns of somebody who pays: a new row, changes of it, how it is read. */
export const payingNouns = (
  open: () => { readonly store: ScratchStore; readonly scope: Scope },
) => ({
  payment: () => {
    const { store, scope } = open()
    const row = paymentOf({
      paymentId: store.newId('pay'),
      products: [item('pdt_1', 2)],
      metadata: { order: 'seven' },
      createdAt: at,
      updatedAt: at,
    })
    const next = { ...row, version: 2, updatedAt: later }
    const paid = { ...next, status: 'succeeded', paidAt: later } as const
    const declined = { ...next, status: 'failed', errorCode: 'CARD_DECLINED' } as const
    return {
      id: row.paymentId,
      made: { noun: 'payment', expected: null, row } as const,
      changed: { noun: 'payment', expected: 1, row: paid } as const,
      again: { noun: 'payment', expected: 1, row: declined } as const,
      read: () => payments(store.db).get(scope, row.paymentId),
      seen: [row, paid] as const,
    }
  },
  checkout_session: () => {
    const { store, scope } = open()
    const row = newSession(store.newId('cks'), checkoutFor([item('pdt_1')]), at)
    const tried = { ...row, paymentId: store.newId('pay'), version: 2 }
    const completed = { ...tried, completedAt: later }
    return {
      id: row.sessionId,
      made: { noun: 'checkout_session', expected: null, row } as const,
      changed: { noun: 'checkout_session', expected: 1, row: tried } as const,
      again: { noun: 'checkout_session', expected: 1, row: completed } as const,
      read: () => checkoutSessions(store.db).get(scope, row.sessionId),
      seen: [row, tried] as const,
    }
  },
})
