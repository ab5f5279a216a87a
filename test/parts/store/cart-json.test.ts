import { expect, it } from 'vitest'
import { cartFrom, cartJson } from '../../../src/parts/store/postgres/catalog/cart-json.ts'
import type { CartItem } from '../../../src/rules/accounts/attached-credits.ts'

const item: CartItem = {
  creditEntitlementId: 'cde_1',
  productId: 'pdt_1',
  creditsAmount: '12.5',
  expiresAfterDays: 30,
  lowBalanceThresholdPercent: 20,
  maxRolloverCount: null,
  overageBehavior: 'carry_deficit',
  overageEnabled: true,
  overageLimit: '7',
  pricePerUnit: '3',
  currency: 'EUR',
  prorationBehavior: 'prorate',
  rolloverEnabled: true,
  rolloverPercentage: 50,
  rolloverTimeframeCount: 2,
  rolloverTimeframeInterval: 'Week',
  trialCredits: '1',
  trialCreditsExpireAfterTrial: false,
}

const cart: readonly CartItem[] = [
  item,
  { ...item, overridden: {} },
  { ...item, overridden: { creditsAmount: '10', overageLimit: null, rolloverEnabled: false } },
]

it('reads a cart as it was written, down to what its own settings hide', () => {
  expect(cartFrom(JSON.parse(JSON.stringify(cartJson(cart))))).toEqual(cart)
})

it('keeps the names that carts have always been kept under', () => {
  expect(cartJson(cart)).toEqual(cart)
})
