import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import type { AddedUsage } from '../../../../src/rules/commerce/subscriptions/bill-words.ts'
import {
  billWords,
  overageWorth,
  usageWorth,
} from '../../../../src/rules/commerce/subscriptions/bill-words.ts'
import { usage } from '../../../../src/rules/meter/route.ts'
import { powerOfTen } from '../../../../src/std/decimal.ts'

const usageWords = (...of: Parameters<typeof usageWorth>) => billWords(of[0], usageWorth(...of))

const units = (count: number) => usage(BigInt(count) * powerOfTen(limits.usageScale))

const used = (more: Partial<AddedUsage['period']> = {}, amount = 225): AddedUsage => ({
  period: {
    consumed: units(100),
    freeThreshold: units(10),
    chargeable: units(90),
    pricePerUnit: '2.5',
    totalPrice: 225,
    ...more,
  },
  amount,
})

describe('what a line of usage says [invoices#what-stands-on-it]', () => {
  it('has the units, those that are free, and the price as people write it', () => {
    expect(usageWords('EUR', [used()])).toBe('Usage: 100 units, 10 of them free, at 0.025 EUR each')
    const plain = { freeThreshold: units(0), chargeable: units(100), totalPrice: 250 }
    expect(usageWords('JPY', [used(plain, 250)])).toBe('Usage: 100 units, at 2.5 JPY each')
    expect(usageWords('KWD', [used(plain, 250)])).toBe('Usage: 100 units, at 0.0025 KWD each')
  })

  it('names no price where none explains the amount, and says what was billed before', () => {
    expect(usageWords('EUR', [used({ totalPrice: 300 }, 300)])).toBe(
      'Usage: 100 units, 10 of them free',
    )
    expect(usageWords('EUR', [used({ totalPrice: null }, 5)])).toBe(
      'Usage: 100 units, 10 of them free, less what was billed before',
    )
    expect(usageWords('EUR', [used({}, 25), used()])).toBe(
      'Usage: 100 units, 10 of them free, at 0.025 EUR each, less what was billed before; and 100 units, 10 of them free, at 0.025 EUR each',
    )
  })

  it('says of overage how many credits it was, and their price', () => {
    const of = { credits: '12.5', unit: 'tokens', pricePerUnit: '0.5' }
    expect(billWords('USD', overageWorth('USD', of))).toBe(
      'Overage: 12.5 tokens beyond what was granted, at 0.005 USD each',
    )
  })
})
