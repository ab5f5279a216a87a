import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WantedLine } from '../../../../src/rules/commerce/refunds/new-refund.ts'
import { newRefund } from '../../../../src/rules/commerce/refunds/new-refund.ts'
import type { Refund } from '../../../../src/rules/commerce/refunds/refund.ts'
import { refundAfter } from '../../../../src/rules/commerce/refunds/refund.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { runs } from '../../../support/run/runs.ts'
import { asked, paidFor, refunding, window } from './refunding.ts'

const line = (itemId: string, amount: number, tax = 0) => ({ itemId, amount, tax })
const item = (itemId: string, amount: number | null = null, taxInclusive = true): WantedLine => ({
  itemId,
  amount,
  taxInclusive,
})
const newId = () => 'ref_new'
const at = instantOf(0)

const decided = (payment: Parameters<typeof paidFor>, items: readonly WantedLine[] | null) =>
  newRefund(newId, asked({ items }), {
    payment: paidFor(...payment),
    given: { refunds: [], disputes: [] },
    at,
    window,
  })

describe('a refund', () => {
  it('without items gives back all that is left, and is partial where it completes others [refunds#what-is-left]', () => {
    const { ask, status } = refunding(paidFor([line('a', 1_000, 190), line('b', 500)]))
    expect(status()).toBeNull()
    expect(ask([item('a', 90)])).toMatchObject({ amount: 90, tax: 14, isPartial: true })
    expect(status()).toBe('partial')
    expect(ask(null)).toMatchObject({ amount: 1_600, tax: 176, isPartial: true })
    expect(status()).toBe('full')
    const whole = decided([[line('a', 1_000, 190)]], [item('a')])
    expect(whole).toMatchObject({ amount: 1_190, isPartial: false, status: 'pending' })
  })

  it('that failed has taken nothing of the payment [refunds#what-is-left]', () => {
    const { ask, status } = refunding(paidFor([line('a', 1_000)]))
    ask(null, 'failed')
    expect(status()).toBeNull()
    expect(ask(null)).toMatchObject({ amount: 1_000, isPartial: false })
  })

  it('is refused with the code of the reason [refunds#refusals]', () => {
    const lines = [line('a', 1_000, 190), line('free', 0)]
    const code = (items: readonly WantedLine[]) => decided([lines], items)
    const refused = (items: readonly WantedLine[]) => {
      const made = code(items)
      return 'code' in made ? made.code : 'none'
    }
    expect(refused([])).toBe('NOTHING_TO_REFUND')
    expect(refused([item('a', 1), item('a', 1)])).toBe('DUPLICATE_LINE_ITEMS_IN_REQUEST')
    expect(refused([item('x')])).toBe('LINE_ITEM_NOT_FOUND')
    expect(refused([item('a', 0)])).toBe('LINE_ITEM_REFUND_AMOUNT_TOO_LOW')
    expect(refused([item('a', -1)])).toBe('LINE_ITEM_REFUND_AMOUNT_TOO_LOW')
    expect(refused([item('free')])).toBe('LINE_ITEM_REFUND_AMOUNT_TOO_LOW')
    expect(refused([item('a', 1_191)])).toBe('LINE_ITEM_REFUND_AMOUNT_TOO_HIGH')
    expect(refused([item('a', 1_001, false)])).toBe('LINE_ITEM_REFUND_AMOUNT_TOO_HIGH')
    expect(refused([item('a', 1_190)])).toBe('none')
    expect(refused([item('a', 1_000, false)])).toBe('none')

    const given = { refunds: [], disputes: [] }
    const paid = { payment: paidFor(lines), given, at, window }
    const state = (more: object) => {
      const made = newRefund(newId, asked(), { ...paid, ...more })
      return 'code' in made ? made.code : 'none'
    }
    expect(state({ payment: paidFor(lines, { status: 'processing' }) })).toBe(
      'PAYMENT_NOT_SUCCEEDED',
    )
    expect(state({ payment: paidFor([line('a', 0)]) })).toBe(
      'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED',
    )
    expect(state({ payment: paidFor(lines, { refundStatus: 'full' }) })).toBe(
      'PAYMENT_ALREADY_REFUNDED',
    )
    expect(state({ at: instantOf(window) })).toBe('none')
    expect(state({ at: instantOf(window + 1) })).toBe('REFUND_WINDOW_EXPIRED')
    const pending = newRefund(newId, asked(), paid) as Refund
    for (const status of ['pending', 'review'] as const) {
      expect(state({ given: { ...given, refunds: [{ ...pending, status }] } })).toBe(
        'EXISTING_REFUND_REQUEST_PROCESSING',
      )
    }
    const less = paidFor(lines, { totalAmount: 100 })
    const more = newRefund(newId, asked({ items: [item('a')] }), { ...paid, payment: less })
    expect(more).toMatchObject({ code: 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT' })
    const { ask } = refunding(paidFor(lines))
    ask([item('a')])
    expect(ask([item('a')])).toMatchObject({ code: 'PAYMENT_ALREADY_REFUNDED' })
    const two = refunding(paidFor([line('a', 5), line('b', 5)]))
    two.ask([item('a')])
    expect(two.ask([item('a', 1)])).toMatchObject({ code: 'LINE_ITEM_FULLY_REFUNDED' })
  })

  it('becomes what is said of it once [refunds#states]', () => {
    const made = decided([[line('a', 5)]], null) as Refund
    const done = refundAfter(made, 'succeeded', instantOf(7))
    expect(done).toMatchObject({ status: 'succeeded', version: 2, updatedAt: 7 })
    for (const outcome of ['succeeded', 'failed'] as const) {
      expect(refundAfter(done as Refund, outcome, instantOf(8))).toBeNull()
    }
    expect(refundAfter({ ...made, status: 'review' }, 'failed', at)?.status).toBe('failed')
  })

  it('gives back in whatever steps what was paid, its tax, and never more [refunds#tax]', () => {
    const lines = fc.uniqueArray(
      fc.record({
        itemId: fc.constantFrom('a', 'b', 'c'),
        amount: fc.oneof(fc.nat(40), fc.nat(2_000_000)),
        rate: fc.constantFrom(0, 7, 19, 27, 100),
      }),
      { minLength: 1, maxLength: 3, selector: ({ itemId }) => itemId },
    )
    const step = fc.record({
      itemId: fc.constantFrom('a', 'b', 'c'),
      share: fc.nat(130),
      taxInclusive: fc.boolean(),
      fails: fc.boolean(),
    })
    fc.assert(
      fc.property(lines, fc.array(step, { maxLength: 12 }), (drawn, steps) => {
        const own = drawn.map(({ itemId, amount, rate }) =>
          line(itemId, amount, Math.round((amount * rate) / 100)),
        )
        const payment = paidFor(own)
        const { ask, refunds } = refunding(payment)
        const given = (itemId: string) => {
          const of = refunds()
            .filter(({ status }) => status === 'succeeded')
            .flatMap(({ lines }) => lines)
            .filter((each) => each.itemId === itemId)
          const sum = (value: (each: (typeof of)[number]) => number) =>
            of.reduce((all, each) => all + value(each), 0)
          return { gross: sum(({ amount }) => amount), tax: sum(({ tax }) => tax) }
        }
        for (const { itemId, share, taxInclusive, fails } of steps) {
          const of = own.find((each) => each.itemId === itemId)
          const whole = of === undefined ? 5 : of.amount + (taxInclusive ? of.tax : 0)
          const amount = share === 0 ? null : Math.ceil((whole * share) / 100)
          const before = of === undefined ? null : given(itemId)
          const made = ask([item(itemId, amount, taxInclusive)], fails ? 'failed' : 'succeeded')
          if ('code' in made || of === undefined || before === null) continue
          const [only] = made.lines
          if (amount !== null) {
            const named = (only?.amount ?? 0) - (taxInclusive ? 0 : (only?.tax ?? 0))
            expect(named).toBe(amount)
          }
          for (const each of own) {
            const { gross, tax } = given(each.itemId)
            expect(tax).toBeGreaterThanOrEqual(0)
            expect(tax).toBeLessThanOrEqual(each.tax)
            expect(gross - tax).toBeGreaterThanOrEqual(0)
            expect(gross - tax).toBeLessThanOrEqual(each.amount)
            // Within two of the exact share: one for each way to say it.
            const exact = gross === 0 ? 0 : (each.tax * gross) / (each.amount + each.tax)
            expect(Math.abs(tax - exact)).toBeLessThanOrEqual(2)
          }
        }
        if (payment.totalAmount === 0) return
        ask(null)
        const total = refunds().filter(({ status }) => status === 'succeeded')
        expect(total.reduce((all, { amount }) => all + amount, 0)).toBe(payment.totalAmount)
        expect(total.reduce((all, { tax }) => all + tax, 0)).toBe(payment.tax)
        for (const each of own) {
          expect(given(each.itemId)).toEqual({ gross: each.amount + each.tax, tax: each.tax })
        }
      }),
      runs(500),
    )
  })
})
