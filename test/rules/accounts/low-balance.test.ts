import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { credits } from '../../../src/rules/accounts/credits.ts'
import type { LowBalanceWatch } from '../../../src/rules/accounts/low-balance.ts'
import { crossesDown, thresholdText } from '../../../src/rules/accounts/low-balance.ts'

const percent = (amount: bigint, of: number): LowBalanceWatch => ({
  subscriptionId: 'sub_1',
  creditsAmount: credits(amount),
  percent: of,
  amount: null,
})

describe('low balance [credits#low-balance]', () => {
  const watch = percent(100n, 20)

  test('100 credits at 20 %: the threshold is 20', () => {
    expect(thresholdText(watch, 0)).toBe('20')
    expect(crossesDown(watch, credits(25n), credits(15n))).toBe(true)
  })

  test('exactly at the threshold is not below it', () => {
    expect(crossesDown(watch, credits(25n), credits(20n))).toBe(false)
    expect(crossesDown(watch, credits(20n), credits(19n))).toBe(true)
  })

  test('below it already, it is silent until the balance is back at the threshold', () => {
    expect(crossesDown(watch, credits(19n), credits(5n))).toBe(false)
    expect(crossesDown(watch, credits(19n), credits(20n))).toBe(false)
    expect(crossesDown(watch, credits(20n), credits(5n))).toBe(true)
  })

  test('a threshold finer than the precision is not rounded', () => {
    const third = percent(333n, 33)
    expect(thresholdText(third, 2)).toBe('1.0989')
    expect(crossesDown(third, credits(110n), credits(109n))).toBe(true)
    expect(crossesDown(third, credits(111n), credits(110n))).toBe(false)
  })

  test('0 % never alarms: no balance is below 0', () => {
    expect(crossesDown(percent(100n, 0), credits(10n), credits(0n))).toBe(false)
  })

  test('an entitlement without subscription has an amount instead of a percentage', () => {
    const own = { ...percent(0n, 0), subscriptionId: null, amount: credits(50n) }
    expect(thresholdText(own, 1)).toBe('5')
    expect(crossesDown(own, credits(50n), credits(49n))).toBe(true)
    expect(crossesDown(own, credits(60n), credits(50n))).toBe(false)
  })

  test('over any walk of balances it alarms once for each time it goes under', () => {
    const balances = fc.array(fc.bigInt({ min: 0n, max: 40n }), { minLength: 2, maxLength: 30 })
    fc.assert(
      fc.property(balances, (walk) => {
        let armed = (walk[0] ?? 0n) >= 20n
        for (const [index, now] of walk.entries()) {
          if (index === 0) continue
          const alarm = crossesDown(watch, credits(walk[index - 1] ?? 0n), credits(now))
          expect(alarm).toBe(armed && now < 20n)
          armed = now >= 20n
        }
      }),
    )
  })
})
