import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveDispute } from '../../../src/operations/disputes/move-dispute.ts'
import { openDispute } from '../../../src/operations/disputes/open-dispute.ts'
import { createPayout } from '../../../src/operations/payouts/create-payout.ts'
import { markPayout } from '../../../src/operations/payouts/mark-payout.ts'
import { readBreakup } from '../../../src/operations/payouts/read-payouts.ts'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { Payout } from '../../../src/rules/commerce/payouts/payout.ts'
import type { Random } from '../../chaos/random.ts'
import { randomFrom } from '../../chaos/random.ts'
import { asked } from '../../rules/commerce/refunds/refunding.ts'
import { bought, sellerWithFees } from '../../support/payments/buying.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

/** What a naive book says: what came in, what went out, and what is on its way. */
interface Model {
  earned: number
  paid: Payout[]
}

describe('a program of payments, refunds, disputes and payouts', () => {
  it.each([1, 2, 3])('keeps money whole after every step, seed %s', async (seed) => {
    const random = randomFrom(seed)
    const { scope, products } = await sellerWithFees(store)
    const model: Model = { earned: 0, paid: [] }
    const open: string[] = []
    const payments: string[] = []
    for (let step = 0; step < 30; step += 1) {
      await act(random, { scope, products, model, open, payments })
      const held = (await store.balances.newest(scope, 'EUR'))?.balanceAfter ?? 0
      const out = model.paid.filter(({ status }) => status !== 'failed')
      const gone = out.reduce((sum, { amount, fee }) => sum + amount + fee, 0)
      expect(held, `step ${step}`).toBe(model.earned - gone)
    }
    for (const { amount, payoutId } of model.paid) {
      const totals = await readBreakup(store, scope, payoutId)
      expect(totals.reduce((sum, { total }) => sum + total, 0)).toBe(amount)
    }
    expect(await differencesOf(store, scope)).toEqual([])
  })
})

interface Acting {
  readonly scope: Scope
  readonly products: readonly string[]
  readonly model: Model
  readonly open: string[]
  readonly payments: string[]
}

async function act(random: Random, { model, open, payments, products, scope }: Acting) {
  const paymentId = payments.length === 0 ? null : random.pick(payments)
  switch (random.below(7)) {
    case 0:
    case 1: {
      payments.push((await bought(store, scope, { products })).paymentId)
      model.earned += 999 - 105
      return
    }
    case 2: {
      if (paymentId === null) return
      const refunded = await createRefund(store, scope, asked({ paymentId })).catch(() => null)
      if (refunded !== null) model.earned -= refunded.refund.amount + 7
      return
    }
    case 3: {
      if (paymentId === null) return
      const reason = String(open.length)
      const asking = { paymentId, amount: 50, reason, stage: 'dispute' } as const
      const dispute = await openDispute(store, asking).catch(() => null)
      if (dispute === null) return
      open.push(dispute.disputeId)
      model.earned -= 50
      return
    }
    case 4: {
      const disputeId = open.pop()
      if (disputeId === undefined) return
      await moveDispute(store, { disputeId, status: 'dispute_cancelled', remarks: null })
      model.earned += 50
      return
    }
    case 5: {
      const made = await createPayout(store, scope, 'EUR').catch(() => null)
      if (made !== null) model.paid.push(made)
      return
    }
    default: {
      const one = model.paid.findIndex(({ status }) => status === 'not_initiated')
      const payout = model.paid[one]
      if (payout === undefined) return
      const status = random.chance(0.5) ? 'failed' : 'success'
      const { payoutId } = payout
      model.paid[one] = await markPayout(store, { payoutId, status, remarks: null, payer: null })
    }
  }
}
