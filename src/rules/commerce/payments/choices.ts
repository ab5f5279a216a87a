import type { Product } from '../catalog/product.ts'
import type { Currency } from '../currency.ts'
import { discountLimits } from '../discounts/discount-limits.ts'
import type { EnteredAmount } from './buyers-amount.ts'
import { chosenAmount } from './buyers-amount.ts'
import type { CheckoutRequest } from './checkout-session.ts'
import { requestOfOffer } from './offer.ts'
import type { WrongDetail } from './payer.ts'
import type { PurchasedProduct } from './payment.ts'

/** What a person chooses on the checkout page of what to buy; what is absent stays. */
export interface CheckoutChoices {
  /** By product; null: what was entered is no quantity. */
  readonly quantities: ReadonlyMap<string, number | null>
  /** What the buyer says that one costs, by product. */
  readonly amounts: ReadonlyMap<string, EnteredAmount>
  /** By product and add-on; 0 takes it out, null: what was entered is no quantity. */
  readonly addons: ReadonlyMap<string, ReadonlyMap<string, number | null>>
  /** A code to add to those that the session was told; null: none. */
  readonly discountCode: string | null
  readonly currency: Currency | null
  /** One of the session's collection. */
  readonly productId: string | null
}

export const noChoices: CheckoutChoices = {
  amounts: new Map(),
  quantities: new Map(),
  addons: new Map(),
  discountCode: null,
  currency: null,
  productId: null,
}

export interface ChosenRequest {
  readonly request: CheckoutRequest
  readonly wrong: readonly WrongDetail[]
}

/**
 * What is bought after the person's choices, of the products that a collection offers, or of what
 * the session was told. Choices that the session does not allow, and quantities that are none, are
 * told by their fields. [payments#choices]
 */
export function chosenRequest(
  asked: CheckoutRequest,
  choices: CheckoutChoices,
  offered: readonly Product[],
): ChosenRequest {
  const { request, wrong: wrongOffer } = requestOfOffer(asked, offered, choices.productId)
  const wrong: WrongDetail[] = [...wrongOffer]
  const products = request.products.map((item) => chosenItem(item, { choices, request, wrong }))
  const { currency, discountCode: entered } = choices
  const known = request.discountCodes.map((code) => code.toUpperCase())
  const isNew = entered !== null && !known.includes(entered.toUpperCase())
  if (isNew && !request.allows.discountCode) {
    wrong.push({ field: 'discount_code', problem: 'cannot be entered here' })
  }
  if (isNew && known.length >= discountLimits.perCartMax) {
    wrong.push({ field: 'discount_code', problem: 'is one too many' })
  }
  if (currency !== null && currency !== request.currency && !request.allows.currency) {
    wrong.push({ field: 'currency', problem: 'cannot be chosen here' })
  }
  return {
    wrong,
    request: {
      ...request,
      products,
      currency: currency ?? request.currency,
      discountCodes: isNew ? [...request.discountCodes, entered] : request.discountCodes,
    },
  }
}

function chosenItem(
  item: PurchasedProduct,
  {
    choices,
    request,
    wrong,
  }: {
    readonly choices: CheckoutChoices
    readonly request: CheckoutRequest
    readonly wrong: WrongDetail[]
  },
): PurchasedProduct {
  const { productId } = item
  const quantity = choices.quantities.get(productId)
  if (quantity === null || (quantity !== undefined && quantity < 1)) {
    wrong.push({ field: `quantity[${productId}]`, problem: 'must be a whole number from 1 on' })
  }
  const said = chosenAmount(item, choices.amounts.get(productId))
  if ('wrong' in said) wrong.push(said.wrong)
  const addons = new Map(item.addons.map((addon) => [addon.addonId, addon.quantity]))
  for (const [addonId, wanted] of choices.addons.get(productId) ?? []) {
    const field = `addons[${productId}][${addonId}]`
    if (wanted === null) wrong.push({ field, problem: 'must be a whole number from 0 on' })
    else if (wanted === (addons.get(addonId) ?? 0)) continue
    else if (!request.allows.addons) wrong.push({ field, problem: 'cannot be changed here' })
    else if (wanted === 0) addons.delete(addonId)
    else addons.set(addonId, wanted)
  }
  return {
    ...item,
    ...('said' in said && { buyersAmount: said }),
    quantity: quantity != null && quantity >= 1 ? quantity : item.quantity,
    addons: [...addons].map(([addonId, each]) => ({ addonId, quantity: each })),
  }
}
