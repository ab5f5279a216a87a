import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountField,
  chosenAmount,
  unitByBuyer,
  wrongAmounts,
} from '../../../../src/rules/commerce/payments/buyers-amount.ts'
import { item, onceFor, productOf } from './purchases.ts'

const open = onceFor(500, { payWhatYouWant: true, suggestedPrice: 700 })
const euros = (amount: number) => ({ said: { amount, currency: 'EUR' as const } })

describe('what a buyer says that one costs [payments#choices]', () => {
  it('counts where the seller has said nothing', () => {
    const entered = { currency: 'EUR', units: 900 } as const
    expect(chosenAmount(item('pdt_1'), entered)).toEqual(euros(900))
    expect(chosenAmount(item('pdt_1', 1, { amount: 900 }), entered)).toEqual({})
    const field = amountField('pdt_1', 'EUR')
    expect(chosenAmount(item('pdt_1', 1, { amount: 600 }), entered)).toEqual({
      wrong: { field, problem: 'cannot be chosen here' },
    })
    expect(chosenAmount(item('pdt_1'), { currency: 'EUR', units: null })).toEqual({
      wrong: { field, problem: 'must be an amount of EUR with at most 2 decimals' },
    })
    expect(chosenAmount(item('pdt_1'), undefined)).toEqual({})
  })

  it('is never less than the least, nor read in another currency', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.boolean(), (amount, isOther) => {
        const said = { amount, currency: isOther ? ('JPY' as const) : ('EUR' as const) }
        const unit = unitByBuyer(item('pdt_1', 1, { buyersAmount: { said } }), open)
        expect(unit).toBe(isOther ? 700 : Math.max(500, amount))
      }),
    )
    const unsaid = item('pdt_1', 1, { buyersAmount: { said: null } })
    expect(unitByBuyer(unsaid, { ...open, suggestedPrice: null })).toBe(500)
    expect(unitByBuyer(item('pdt_1'), open)).toBeNull()
  })

  it('is told beside its field where it is too low, or no buyer has a say', () => {
    const wrong = (amount: number, price = onceFor(500, { payWhatYouWant: true })) => {
      const product = productOf('pdt_1', price)
      const line = { itemId: 'pdt_1', currency: 'EUR', product } as const
      return wrongAmounts(
        { products: [item('pdt_1', 1, { buyersAmount: euros(amount) })] },
        { lines: [line] },
      ).map(({ problem }) => problem)
    }
    expect(wrong(500)).toEqual([])
    expect(wrong(499)).toEqual(['must be at least 5.00 EUR'])
    expect(wrong(900, onceFor(500))).toEqual(['cannot be chosen here'])
  })
})
