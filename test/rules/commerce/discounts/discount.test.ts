import { describe, expect, it } from 'vitest'
import type { Discount } from '../../../../src/rules/commerce/discounts/discount.ts'
import {
  changedDiscount,
  deletedDiscount,
} from '../../../../src/rules/commerce/discounts/discount.ts'
import { discountRejection } from '../../../../src/rules/commerce/discounts/discount-rules.ts'
import { hour, instantOf } from '../../../../src/std/instant.ts'
import { at, discount, option } from './samples.ts'

describe('a discount as a whole', () => {
  it.each<[string, Partial<Discount>, string | null]>([
    ['INVALID_PERCENTAGE', { amount: 0 }, 'amount'],
    ['INVALID_PERCENTAGE', { amount: 10_001 }, 'amount'],
    ['INVALID_REQUEST_BODY', { code: 'AB' }, 'code'],
    ['INVALID_REQUEST_BODY', { code: 'A'.repeat(17) }, 'code'],
    ['INVALID_REQUEST_BODY', { code: 'A B C' }, 'code'],
    ['INVALID_REQUEST_BODY', { code: 'A\u200bBC' }, 'code'],
    ['INVALID_REQUEST_BODY', { usageLimit: 1, perCustomerUsageLimit: 2 }, 'per_customer'],
    ['INVALID_REQUEST_BODY', { startsAt: at, expiresAt: at }, 'starts_at'],
    [
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      { currencyOptions: [option(), option({ isDefault: false })] },
      'each currency once',
    ],
    [
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      { currencyOptions: [option(), option({ currency: 'EUR' })] },
      'one default',
    ],
    ['DISCOUNT_CURRENCY_OPTION_INVALID', { type: 'flat' }, 'must have a default'],
    [
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      { type: 'flat', currencyOptions: [option({ isDefault: false, maxAmountPossible: 1 })] },
      'must have a default',
    ],
    [
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      {
        type: 'flat',
        currencyOptions: [
          option({ maxAmountPossible: 1 }),
          option({ currency: 'EUR', isDefault: false }),
        ],
      },
      'currency_options[1].max_amount_possible',
    ],
  ])('is refused with %s for %j', (code, fields, says) => {
    expect(discountRejection(discount(fields))).toMatchObject({
      code,
      problem: expect.stringContaining(says ?? ''),
    })
  })

  it.each<[Partial<Discount>]>([
    [{}],
    [{ amount: 1 }],
    [{ amount: 10_000 }],
    [{ code: 'ÄÖÜ' }],
    [{ code: '100%-OFF_NOW.2+X' }],
    [{ type: 'flat', amount: 0, currencyOptions: [option({ maxAmountPossible: 1 })] }],
    [{ usageLimit: 2, perCustomerUsageLimit: 2 }],
    [{ perCustomerUsageLimit: 2 }],
    [{ startsAt: at, expiresAt: instantOf(at + 1) }],
    [{ currencyOptions: [option({ isDefault: false }), option({ currency: 'EUR' })] }],
  ])('is right with %j', (fields) => {
    expect(discountRejection(discount(fields))).toBeNull()
  })

  it('has a later time with every change', () => {
    const before = discount({ updatedAt: instantOf(at + hour) })
    expect(changedDiscount(before, { amount: 5 }, at)).toEqual({
      ...before,
      amount: 5,
      updatedAt: instantOf(at + hour + 1),
    })
    expect(deletedDiscount(discount(), instantOf(at + hour))).toMatchObject({
      deletedAt: instantOf(at + hour),
      updatedAt: instantOf(at + hour),
    })
  })
})
