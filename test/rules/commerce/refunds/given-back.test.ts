import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dispute } from '../../../../src/rules/commerce/disputes/dispute.ts'
import { movedDispute } from '../../../../src/rules/commerce/disputes/dispute.ts'
import { newDispute, openedBefore } from '../../../../src/rules/commerce/disputes/new-dispute.ts'
import { chargedBack } from '../../../../src/rules/commerce/payments/given-back.ts'
import { newRefund } from '../../../../src/rules/commerce/refunds/new-refund.ts'
import type { Refund } from '../../../../src/rules/commerce/refunds/refund.ts'
import { isUnderWay, refundAfter } from '../../../../src/rules/commerce/refunds/refund.ts'
import { refundStatusOf } from '../../../../src/rules/commerce/refunds/refundable.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { runs } from '../../../support/run/runs.ts'
import { asked, paidFor, window } from './refunding.ts'

const at = instantOf(0)

type Paid = ReturnType<typeof paidFor>

/** Refunds and disputes of one payment, and where their money has come from. */
function giving(payment: Paid) {
  let refunds: readonly Refund[] = []
  let disputes: readonly Dispute[] = []
  let [toWallet, charge, number] = [0, 0, 0]
  const given = () => ({ refunds, disputes, toWallet })
  const newId = () => {
    number += 1
    return `no_${number}`
  }
  return { given, refund, settle, dispute, move, taken: () => ({ charge, wallet: toWallet }) }

  function refund(amount: number | null, waits = false) {
    const items = amount === null ? null : [{ itemId: 'a', amount, taxInclusive: true }]
    const now = { ...payment, refundStatus: refundStatusOf(payment, refunds) }
    const made = newRefund(newId, asked({ items }), { payment: now, given: given(), at, window })
    if ('code' in made) return made.code
    refunds = [...refunds, made]
    if (!waits) settle('succeeded')
    return made.amount
  }

  function settle(outcome: 'succeeded' | 'failed') {
    const waiting = refunds.find(isUnderWay)
    const done = waiting === undefined ? null : refundAfter(waiting, outcome, at)
    if (done === null) return
    const before = refunds.filter(({ refundId }) => refundId !== done.refundId)
    if (outcome === 'succeeded') {
      const fromCharge = chargedBack(payment, done, { refunds: before, disputes, toWallet })
      charge += fromCharge
      toWallet += done.amount - fromCharge
    }
    refunds = [...before, done]
  }

  function dispute(amount: number | null, reason: string | null = null) {
    const wanted = { amount, reason, stage: 'dispute' } as const
    const opening = { ...wanted, payment, given: given(), at }
    const before = openedBefore(opening)
    if (before !== null) return before.disputeId
    const made = newDispute(newId, opening)
    if ('code' in made) return made.code
    disputes = [...disputes, made]
    return made.amount
  }

  function move(which: number, ...to: readonly Dispute['status'][]) {
    for (const status of to) {
      disputes = disputes.map((each, index) =>
        index === which % disputes.length
          ? (movedDispute(each, { status, remarks: null, at }) ?? each)
          : each,
      )
    }
  }
}

const sum = (all: readonly { readonly amount: number }[]) =>
  all.reduce((total, { amount }) => total + amount, 0)

const standing = (all: readonly Dispute[]) =>
  all.filter(({ status }) => status !== 'dispute_won' && status !== 'dispute_cancelled')

describe('refunds and disputes of one payment', () => {
  it('leave each other what the other has not taken [refunds#what-is-left]', () => {
    const one = giving(paidFor([{ itemId: 'a', amount: 1_000, tax: 0 }]))
    expect(one.dispute(300)).toBe(300)
    expect(one.refund(701)).toBe('REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT')
    expect(one.refund(null)).toBe(700)
    expect(one.refund(null)).toBe('NOTHING_TO_REFUND')
    expect(one.dispute(null, 'another')).toBe('CONFLICT')
    one.move(0, 'dispute_cancelled')
    expect(one.dispute(301)).toBe('INVALID_REQUEST_BODY')
    expect(one.refund(null)).toBe(300)
    expect(one.refund(null)).toBe('PAYMENT_ALREADY_REFUNDED')
    expect(one.dispute(1)).toBe('CONFLICT')
  })

  it('count those that are on their way, and what was lost, but nothing that came back', () => {
    const one = giving(paidFor([{ itemId: 'a', amount: 1_000, tax: 0 }]))
    expect(one.refund(600, true)).toBe(600)
    expect(one.dispute(500)).toBe('INVALID_REQUEST_BODY')
    expect(one.dispute(null)).toBe(400)
    one.settle('failed')
    expect(one.refund(600)).toBe(600)
    one.move(0, 'dispute_challenged', 'dispute_lost')
    expect(one.refund(null)).toBe('NOTHING_TO_REFUND')
    const other = giving(paidFor([{ itemId: 'a', amount: 1_000, tax: 0 }]))
    expect(other.dispute(null)).toBe(1_000)
    other.move(0, 'dispute_challenged', 'dispute_won')
    expect(other.refund(null)).toBe(1_000)
  })

  it('share what a dispute leaves among the lines, with their tax [refunds#what-is-left]', () => {
    const lines = [
      { itemId: 'a', amount: 1_000, tax: 190 },
      { itemId: 'b', amount: 500, tax: 0 },
      { itemId: 'c', amount: 0, tax: 0 },
    ]
    const payment = paidFor(lines)
    const disputes = [{ status: 'dispute_opened', amount: 845 }] as const
    const given = { refunds: [], disputes }
    const made = newRefund(() => 'ref_1', asked(), { payment, given, at, window })
    expect(made).toMatchObject({
      amount: 845,
      tax: 95,
      isPartial: true,
      lines: [
        { itemId: 'a', amount: 595, tax: 95 },
        { itemId: 'b', amount: 250, tax: 0 },
      ],
    })
  })

  it('open the same dispute once, as long as nobody has answered it [refunds#disputes]', () => {
    const one = giving(paidFor([{ itemId: 'a', amount: 1_000, tax: 0 }]))
    expect(one.dispute(300)).toBe(300)
    expect(one.dispute(300)).toBe('no_1')
    expect(one.dispute(300, 'fraudulent')).toBe(300)
    expect(one.dispute(null)).toBe(400)
    expect(one.dispute(null)).toBe('no_3')
    one.move(0, 'dispute_cancelled')
    expect(one.dispute(300)).toBe(300)
    expect(one.given().disputes).toHaveLength(4)
  })

  it('take nothing twice, of the charge or of the wallet, in whatever order [refunds#wallets]', () => {
    const amount = fc.option(fc.integer({ min: 1, max: 140 }))
    const step = fc.oneof(
      fc.record({ kind: fc.constant('refund' as const), amount, waits: fc.boolean() }),
      fc.record({
        kind: fc.constant('settle' as const),
        to: fc.constantFrom('succeeded' as const, 'failed' as const),
      }),
      fc.record({ kind: fc.constant('dispute' as const), amount, reason: fc.string() }),
      fc.record({
        kind: fc.constant('move' as const),
        which: fc.nat(5),
        to: fc.constantFrom(
          'dispute_cancelled' as const,
          'dispute_cancelled' as const,
          'dispute_accepted' as const,
        ),
      }),
    )
    const paid = fc.record({
      net: fc.integer({ min: 1, max: 100 }),
      tax: fc.nat(19),
      wallet: fc.nat(100),
    })
    fc.assert(
      fc.property(paid, fc.array(step, { maxLength: 14 }), ({ net, tax, wallet }, steps) => {
        const fromWallet = Math.min(wallet, net + tax)
        const payment = paidFor([{ itemId: 'a', amount: net, tax }], { fromWallet })
        const total = net + tax
        const one = giving(payment)
        const holds = () => {
          const { disputes, refunds } = one.given()
          const { charge, wallet } = one.taken()
          const back = refunds.filter(({ status }) => status !== 'failed')
          expect(sum(back) + sum(standing(disputes))).toBeLessThanOrEqual(total)
          expect(charge + sum(standing(disputes))).toBeLessThanOrEqual(total - fromWallet)
          expect(wallet).toBeLessThanOrEqual(fromWallet)
        }
        for (const each of steps) {
          if (each.kind === 'refund') one.refund(each.amount, each.waits)
          else if (each.kind === 'settle') one.settle(each.to)
          else if (each.kind === 'dispute') one.dispute(each.amount, each.reason)
          else one.move(each.which, each.to)
          holds()
        }
        one.settle('succeeded')
        for (const index of one.given().disputes.keys()) one.move(index, 'dispute_cancelled')
        one.refund(null)
        holds()
        const lost = sum(standing(one.given().disputes))
        expect(one.taken()).toEqual({ charge: total - fromWallet - lost, wallet: fromWallet })
        const done = one.given().refunds.filter(({ status }) => status === 'succeeded')
        expect(sum(done)).toBe(total - lost)
        const taxBack = done.reduce((all, each) => all + each.tax, 0)
        if (lost === 0) expect(taxBack).toBe(tax)
      }),
      runs(300),
    )
  })
})
