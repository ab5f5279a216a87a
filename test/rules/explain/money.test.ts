import { describe, expect, it } from 'vitest'
import type { ChainedEntry } from '../../../src/rules/commerce/balances/balance-entry.ts'
import type { Dispute } from '../../../src/rules/commerce/disputes/dispute.ts'
import type { Payment } from '../../../src/rules/commerce/payments/payment.ts'
import type { Refund } from '../../../src/rules/commerce/refunds/refund.ts'
import {
  disputeText,
  entryText,
  paymentText,
  refundText,
} from '../../../src/rules/explain/money.ts'
import { instantOfMs } from '../../../src/std/instant.ts'

describe('sentences on money [payouts#explanations]', () => {
  it('write amounts with all decimals', () => {
    const entry = {
      entryId: 'ble_1',
      number: 3,
      currency: 'USD',
      eventType: 'refund',
      isCredit: false,
      amount: 1_190,
      balanceBefore: 100,
      balanceAfter: -1_090,
    } as ChainedEntry
    expect(entryText(entry)).toBe(
      'Entry 3 of the USD ledger, ble_1, is refund: 1.00 − 11.90 = -10.90.',
    )
  })

  it('say why a payment failed, why a refund was made, and until when a dispute can be answered', () => {
    const payment = { paymentId: 'pay_1', currency: 'JPY', totalAmount: 110, tax: 10 } as Payment
    expect(paymentText({ ...payment, status: 'failed', errorCode: 'CARD_DECLINED' })).toBe(
      'Payment pay_1 of 110 JPY, 10 JPY of it tax, is failed (CARD_DECLINED).',
    )
    expect(paymentText({ ...payment, status: 'succeeded', errorCode: null })).toContain('ed.')
    const money = { currency: 'KWD', amount: 1_500 } as const
    const refund = { ...money, refundId: 'ref_1', status: 'succeeded', reason: 'late' } as Refund
    expect(refundText(refund)).toBe('Refund ref_1 of 1.500 KWD is succeeded, because: late.')
    expect(refundText({ ...refund, reason: null })).toBe('Refund ref_1 of 1.500 KWD is succeeded.')
    const answerBy = instantOfMs(Date.UTC(2026, 0, 11))
    const dispute = { ...money, disputeId: 'dis_1', reason: 'fraudulent', answerBy } as Dispute
    expect(disputeText({ ...dispute, status: 'dispute_opened' })).toBe(
      'Dispute dis_1 of 1.500 KWD is dispute_opened, because: fraudulent; it can be answered until 2026-01-11T00:00:00.000000Z.',
    )
    expect(disputeText({ ...dispute, status: 'dispute_won', reason: null })).toBe(
      'Dispute dis_1 of 1.500 KWD is dispute_won.',
    )
  })
})
