import { expect, it } from 'vitest'
import { inSubscriptionWords } from '../../src/wire/subscription-create.ts'

it('a refused subscription names its own fields, and not those of a cart', () => {
  const problems = [
    ['product_cart[0].quantity must be 1.', 'quantity must be 1.'],
    ["product_cart[0].addons[1]: there is no 'adn_x'.", "addons[1]: there is no 'adn_x'."],
    ['product_cart[2].amount is missing.', 'one_time_product_cart[1].amount is missing.'],
    ['All of product_cart must have one.', 'All of one_time_product_cart must have one.'],
    ['on_demand needs no card.', 'on_demand needs no card.'],
  ]
  for (const [told = '', named] of problems) expect(inSubscriptionWords(told)).toBe(named)
})
