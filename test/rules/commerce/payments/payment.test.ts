import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargeOutcome, Payment } from '../../../../src/rules/commerce/payments/payment.ts'
import { afterNews, intentStatuses } from '../../../../src/rules/commerce/payments/payment.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { paymentOf } from './purchases.ts'

const news: fc.Arbitrary<ChargeOutcome> = fc.oneof(
  fc.constantFrom<ChargeOutcome>(
    { status: 'succeeded' },
    { status: 'processing' },
    { status: 'requires_customer_action' },
    { status: 'cancelled' },
  ),
  fc.constantFrom<ChargeOutcome>({ status: 'failed', code: 'CARD_DECLINED', message: 'No.' }),
)

const final = ['succeeded', 'failed', 'cancelled']

/** What was told first of what is final; else what was told last. */
function slowly(told: readonly ChargeOutcome[]): string {
  const first = told.find(({ status }) => final.includes(status))
  return first?.status ?? told.at(-1)?.status ?? 'requires_confirmation'
}

describe('a payment', () => {
  it('becomes what was said first of what is final, however often it is told [payments#news]', () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 8 }), fc.nat(3), (told, again) => {
        let payment: Payment = paymentOf({ status: 'requires_confirmation' })
        let [changes, at] = [0, 0]
        for (const each of told) {
          for (let times = 0; times <= again; times += 1) {
            at += 1
            const next = afterNews(payment, each, instantOf(at))
            if (next === null) continue
            expect(next.version).toBe(payment.version + 1)
            expect(next.updatedAt).toBe(at)
            changes += 1
            payment = next
          }
        }
        expect(payment.status).toBe(slowly(told))
        expect(changes).toBeLessThanOrEqual(told.length)
        expect(payment.errorCode).toBe(payment.status === 'failed' ? 'CARD_DECLINED' : null)
      }),
    )
  })

  it('never leaves a status that is final', () => {
    for (const status of intentStatuses.filter((each) => final.includes(each))) {
      const settled = paymentOf({ status })
      expect(afterNews(settled, { status: 'processing' }, instantOf(9))).toBeNull()
      expect(afterNews(settled, { status: 'succeeded' }, instantOf(9))).toBeNull()
    }
  })
})
