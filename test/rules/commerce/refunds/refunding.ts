import type { WantedRefund } from '../../../../src/operations/refunds/create-refund.ts'
import type { GivenBack } from '../../../../src/rules/commerce/payments/given-back.ts'
import type { Payment } from '../../../../src/rules/commerce/payments/payment.ts'
import type { RefundRequest } from '../../../../src/rules/commerce/refunds/new-refund.ts'
import { newRefund } from '../../../../src/rules/commerce/refunds/new-refund.ts'
import type { Refund } from '../../../../src/rules/commerce/refunds/refund.ts'
import { refundAfter } from '../../../../src/rules/commerce/refunds/refund.ts'
import { refundStatusOf } from '../../../../src/rules/commerce/refunds/refundable.ts'
import { day, instantOf } from '../../../../src/std/instant.ts'
import { paymentOf } from '../payments/purchases.ts'

/** A payment of these lines that has succeeded. */
export const paidFor = (
  lines: readonly Pick<Payment['lines'][number], 'itemId' | 'amount' | 'tax'>[],
  more: Partial<Payment> = {},
): Payment => {
  const sum = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((all, line) => all + of(line), 0)
  const tax = sum((line) => line.tax)
  return paymentOf({
    status: 'succeeded',
    lines: lines.map((line) => ({ ...line, name: null, description: null })),
    totalAmount: sum(({ amount }) => amount) + tax,
    tax,
    paidAt: instantOf(0),
    ...more,
  })
}

export const asked = (more: Partial<WantedRefund> = {}): WantedRefund => ({
  paymentId: 'pay_1',
  items: null,
  reason: null,
  metadata: {},
  idempotencyKey: null,
  ...more,
})

export const window = 30 * day

/**
 * Asks for one refund after another, each of which succeeds unless it is refused, beside disputes.
 */
export function refunding(
  payment: Payment,
  disputes: () => GivenBack['disputes'] = () => [],
  at = instantOf(0),
) {
  let refunds: readonly Refund[] = []
  let number = 0
  return { ask, refunds: () => refunds, status: () => refundStatusOf(payment, refunds) }

  function ask(items: RefundRequest['items'], outcome: 'succeeded' | 'failed' = 'succeeded') {
    const now = { ...payment, refundStatus: refundStatusOf(payment, refunds) }
    number += 1
    const newId = () => `ref_${number}`
    const made = newRefund(newId, asked({ items }), {
      payment: now,
      given: { refunds, disputes: disputes() },
      at,
      window,
    })
    if ('code' in made) return made
    const settled = refundAfter(made, outcome, at)
    if (settled !== null) refunds = [...refunds, settled]
    return made
  }
}

/** What parts of a payment's only line give back, one after another. */
export function refundedInTurn(
  { amount, tax }: { readonly amount: number; readonly tax: number },
  parts: readonly { readonly amount: number | null; readonly taxInclusive: boolean }[],
): readonly { readonly amount: number; readonly tax: number }[] {
  const { ask } = refunding(paidFor([{ itemId: 'pdt_1', amount, tax }]))
  return parts.map((part) => {
    const made = ask([{ itemId: 'pdt_1', ...part }])
    if ('code' in made) throw new Error(made.problem)
    return { amount: made.amount, tax: made.tax }
  })
}
