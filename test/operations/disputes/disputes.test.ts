import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { moveDispute } from '../../../src/operations/disputes/move-dispute.ts'
import { openDispute } from '../../../src/operations/disputes/open-dispute.ts'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { Dispute, DisputeStatus } from '../../../src/rules/commerce/disputes/dispute.ts'
import { disputeStatuses, movedDispute } from '../../../src/rules/commerce/disputes/dispute.ts'
import { day, instantOf } from '../../../src/std/instant.ts'
import { asked } from '../../rules/commerce/refunds/refunding.ts'
import { bought, soldOnce } from '../../support/payments/buying.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, january, scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const anything = {
  currency: null,
  eventType: null,
  referenceId: null,
  createdFrom: null,
  createdTo: null,
}

const differences = (scope: Scope) => differencesOf(store, scope)

async function paid(card?: string) {
  const scope = await store.business()
  const products = [await soldOnce(store, scope)]
  const { paymentId } = await bought(store, scope, {
    products,
    ...(card === undefined ? {} : { card }),
  })
  const status = async () => (await store.payments.get(scope, paymentId))?.disputeStatus
  const booked = async () =>
    (await store.balances.entries(scope, anything, { limit: 50, offset: 0 }))
      .toReversed()
      .map(({ eventType, balanceAfter }) => [eventType, balanceAfter])
  const told = async () =>
    (
      await store.db.query<{ type: string }>({
        text: `select type from outbox where business_id = $1 and type like 'dispute.%' order by id`,
        values: [scope.businessId],
      })
    ).map(({ type }) => type)
  return { scope, paymentId, status, booked, told }
}

const opening = (
  paymentId: string,
  amount: number | null = null,
  reason: string | null = 'fraudulent',
) => ({
  paymentId,
  amount,
  reason,
  stage: 'dispute' as const,
})
const move = (disputeId: string, status: DisputeStatus, remarks: string | null = null) =>
  moveDispute(store, { disputeId, status, remarks })

describe('disputes', () => {
  it('open with a payment of the card that is disputed at once [refunds#disputes]', async () => {
    const { scope, paymentId, status, booked, told } = await paid('4000000000000259')
    expect(await status()).toBe('dispute_opened')
    const [dispute] = await store.disputes.ofPayment(scope, paymentId)
    expect(dispute).toMatchObject({ amount: 999, stage: 'dispute', resolvedRapidly: false })
    expect(await booked()).toEqual([
      ['payment', 999],
      ['dispute', 0],
    ])
    const id = dispute?.disputeId ?? ''
    expect((await move(id, 'dispute_challenged', 'Proof of delivery')).remarks).toBe(
      'Proof of delivery',
    )
    for (const wrong of ['dispute_challenged', 'dispute_accepted', 'dispute_opened'] as const) {
      await expect(move(id, wrong)).rejects.toThrow('cannot become')
    }
    expect((await move(id, 'dispute_won')).remarks).toBe('Proof of delivery')
    expect(await status()).toBe('dispute_won')
    expect((await booked()).at(-1)).toEqual(['dispute_reversal', 999])
    expect(await told()).toEqual(['dispute.opened', 'dispute.challenged', 'dispute.won'])
    expect(await differences(scope)).toEqual([])
  })

  it('expire where nobody answers within ten days, by the clock [refunds#disputes]', async () => {
    const { scope, paymentId, status, booked } = await paid()
    const { disputeId } = await openDispute(store, opening(paymentId, 400))
    const early = instantOf(january + 10 * day - 1)
    const due = await store.boundaries.due(early, scope, 9)
    expect(due.map(({ kind }) => kind)).not.toContain('dispute_window')
    const late = atMoment(instantOf(january + 11 * day), store)
    // A command that comes after the window finds it expired, at the end of the window.
    await expect(
      moveDispute(late, { disputeId, status: 'dispute_challenged', remarks: null }),
    ).rejects.toThrow('is dispute_expired')
    expect(await status()).toBe('dispute_expired')
    const found = await store.disputes.get(scope, disputeId)
    expect(found?.updatedAt).toBe(found?.answerBy)
    expect(await booked()).toEqual([
      ['payment', 999],
      ['dispute', 599],
    ])
    const stale = { kind: 'dispute_window', at: early, scope, disputeId } as const
    await applyBoundary(late, stale)
    expect(await store.disputes.get(scope, disputeId)).toEqual(found)
  })

  it('of one payment may stand beside each other, and the last one is told [refunds#disputes]', async () => {
    const { scope, paymentId, status, booked } = await paid()
    const first = await openDispute(store, opening(paymentId, 100))
    const second = await openDispute(store, opening(paymentId, 200))
    await move(second.disputeId, 'dispute_cancelled')
    await move(first.disputeId, 'dispute_accepted')
    expect(await status()).toBe('dispute_cancelled')
    expect((await booked()).at(-1)).toEqual(['dispute_reversal', 899])
    const ended = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        openDispute(store, opening(paymentId, 10, `${index}`)).then(({ disputeId }) => disputeId),
      ),
    )
    expect(new Set(ended).size).toBe(6)
    const moved = await Promise.all(
      (['dispute_accepted', 'dispute_cancelled', 'dispute_challenged'] as const).map((to) =>
        move(ended[0] ?? '', to).then(
          () => 'moved',
          () => 'refused',
        ),
      ),
    )
    expect(moved.filter((each) => each === 'moved').length).toBeLessThanOrEqual(2)
    expect(moved).toContain('refused')
    expect(await differences(scope)).toEqual([])
  })

  it('and refunds never take more than was paid, whatever races [refunds#what-is-left]', async () => {
    const { scope, paymentId, booked } = await paid()
    const needs = [store, ...Array.from({ length: 3 }, () => ({ ...store, ...store.another() }))]
    const asking = Array.from({ length: 16 }, async (_, index) => {
      const desk = needs[index % needs.length] ?? store
      const amount = index % 4 < 2 ? 333 : null
      try {
        if (index % 2 === 1) return (await createRefund(desk, scope, asked({ paymentId }))).refund
        return await openDispute(desk, opening(paymentId, amount, `${index}`))
      } catch (error) {
        return error instanceof Fault ? error.code : Promise.reject(error)
      }
    })
    const answers = await Promise.all(asking)
    const taken = answers.filter((answer) => typeof answer !== 'string')
    expect(taken.reduce((all, { amount }) => all + amount, 0)).toBe(999)
    const refused = new Set(answers.filter((answer) => typeof answer === 'string'))
    for (const code of refused) {
      expect([
        'CONFLICT',
        'INVALID_REQUEST_BODY',
        'NOTHING_TO_REFUND',
        'PAYMENT_ALREADY_REFUNDED',
      ]).toContain(code)
    }
    expect((await booked()).at(-1)?.[1]).toBe(0)
    expect(await differences(scope)).toEqual([])
  })

  it('opened twice at once with the same words are one dispute [refunds#disputes]', async () => {
    const { scope, paymentId, booked, told } = await paid()
    const needs = [store, { ...store, ...store.another() }]
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        openDispute(needs[index % 2] ?? store, opening(paymentId, 100)).then(
          ({ disputeId }) => disputeId,
        ),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    expect(await store.disputes.ofPayment(scope, paymentId)).toHaveLength(1)
    expect((await booked()).at(-1)).toEqual(['dispute', 899])
    expect(await told()).toEqual(['dispute.opened'])
    await move(ids[0] ?? '', 'dispute_cancelled')
    const { disputeId } = await openDispute(store, opening(paymentId, 100))
    expect(ids).not.toContain(disputeId)
  })

  it('that took too much, with refunds, are found by verify [refunds#what-is-left]', async () => {
    const { scope, paymentId } = await paid()
    await openDispute(store, opening(paymentId, 600))
    const { refund } = await createRefund(store, scope, asked({ paymentId }))
    expect(refund).toMatchObject({ amount: 399, isPartial: true, status: 'succeeded' })
    expect(await differences(scope)).toEqual([])
    await store.db.query({
      text: `update disputes set amount = 601 where business_id = $1`,
      values: [scope.businessId],
    })
    expect(await differences(scope)).toContainEqual(
      expect.stringContaining(`take 1000 of payment ${paymentId}`),
    )
  })

  it('are given back at once up to the amount of the operator [refunds#rapid-resolution]', async () => {
    const { scope, paymentId, status, told } = await paid()
    const rapid = { ...store, rapidUpTo: 5_000 }
    const large = await openDispute(rapid, opening(paymentId, 501))
    expect(large.status).toBe('dispute_opened')
    const small = await openDispute(rapid, opening(paymentId, 400))
    expect(small).toMatchObject({
      status: 'dispute_lost',
      stage: 'pre_dispute',
      resolvedRapidly: true,
    })
    expect(await status()).toBe('dispute_lost')
    expect(await told()).toEqual(['dispute.opened', 'dispute.opened', 'dispute.lost'])
    expect(await differences(scope)).toEqual([])
  })

  it('are refused where there is nothing to dispute', async () => {
    const { scope } = await paid()
    const products = [await soldOnce(store, scope)]
    const failed = await bought(store, scope, { products, card: '4000000000000002' })
    await expect(openDispute(store, opening(failed.paymentId))).rejects.toThrow('is failed')
    const good = await bought(store, scope, { products })
    for (const amount of [0, 1_000]) {
      await expect(openDispute(store, opening(good.paymentId, amount))).rejects.toThrow('from 1 to')
    }
    await expect(openDispute(store, opening('pay_x'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('move as they may and no other way [refunds#disputes]', async () => {
    const { scope, paymentId } = await paid()
    const { disputeId } = await openDispute(store, opening(paymentId))
    const dispute = (await store.disputes.get(scope, disputeId)) as Dispute
    const legal = disputeStatuses.flatMap((from) =>
      disputeStatuses
        .filter((to) => {
          const at = instantOf(january)
          return movedDispute({ ...dispute, status: from }, { status: to, remarks: null, at })
        })
        .map((to) => `${from.slice(8)} ${to.slice(8)}`),
    )
    expect(legal.toSorted()).toEqual([
      'challenged cancelled',
      'challenged lost',
      'challenged won',
      'opened accepted',
      'opened cancelled',
      'opened challenged',
      'opened expired',
    ])
  })
})
