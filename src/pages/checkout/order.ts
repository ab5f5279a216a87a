import type { Addon } from '../../rules/commerce/catalog/addon.ts'
import { leastOfBuyer } from '../../rules/commerce/catalog/price.ts'
import { amountField } from '../../rules/commerce/payments/buyers-amount.ts'
import type { PricedCart, PricedLine } from '../../rules/commerce/payments/cart.ts'
import { fullUnits } from '../../rules/money/money.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { moneyText } from './amounts.ts'
import type { PayPage } from './fields.ts'
import { entryField, problemOf, radioField, selectField } from './fields.ts'

/** What is bought, and what it comes to. */
export function orderTable(page: PayPage): Html {
  const { cart, texts } = page
  const amount = (units: number): string => cartAmount(units, page)
  const rows = [
    [texts.subtotal, cart.subtotal],
    [codesOf(page), 0 - cart.discount],
    [cart.lines.every(hasTaxInside) ? texts.taxIncluded : texts.tax, cart.tax],
  ] as const
  const told = rows.filter(([, units]) => units !== 0)
  const parts = told.length > 1 || cart.subtotal !== cart.total ? told : []
  return html`<table>
<tbody>
${cart.lines.map(
  (line) =>
    html`<tr><th scope="row">${line.name ?? line.itemId}${
      line.quantity === 1 ? '' : ` × ${line.quantity}`
    }</th><td>${amount(line.original)}</td></tr>`,
)}
</tbody>
<tfoot>
${parts.map(
  ([name, units]) =>
    html`<tr class="part"><th scope="row">${name}</th><td>${amount(units)}</td></tr>`,
)}
<tr><th scope="row">${texts.total}</th><td>${amount(cart.total)}</td></tr></tfoot>
</table>
${problemOf(page, 'order')}`
}

const hasTaxInside = ({ taxInclusive, tax }: PricedLine): boolean => taxInclusive || tax === 0

const codesOf = ({ cart, texts }: PayPage): string => {
  const codes = cart.discounts.map(({ discount }) => discount.code).join(', ')
  return codes === '' ? texts.discount : `${texts.discount} (${codes})`
}

/** What a person may change of the order: quantities, add-ons, the currency, and a code. */
export function orderFields(page: PayPage): Html {
  const { cart, request, texts } = page
  const { currencies, currency } = cart
  const hidden = html`<input type="hidden" name="shown_total" value="${currency} ${cart.total}">`
  return html`<fieldset data-part="order"><legend>${texts.order}</legend>
${hidden}
${page.offers.length === 0 ? null : offerFields(page)}
${cart.lines.filter(hasQuantity).map((line) => quantityField(page, line))}
${cart.lines.map((line) => buyersField(page, line))}
${request.allows.addons ? page.addons.map((addon) => addonField(page, addon)) : null}
${
  request.allows.currency && currencies.length > 1
    ? selectField(page, {
        name: 'currency',
        label: texts.currency,
        options: currencies,
        chosen: currency,
      })
    : null
}
${request.allows.discountCode ? codeField(page) : problemOf(page, 'discount_code')}
</fieldset>`
}

/** The products of a collection, of which one is bought. */
const offerFields = (page: PayPage): Html => html`<fieldset><legend>${page.texts.choose}</legend>
${page.offers.map(({ price, product: { name, productId } }) =>
  radioField({
    name: 'product_id',
    value: productId,
    label: `${name ?? productId} (${moneyText(price.amount, price.currency, page.language)})`,
    isChosen: page.cart.lines.some(({ itemId }) => itemId === productId),
  }),
)}
${problemOf(page, 'product_id')}</fieldset>`

const codeField = (page: PayPage): Html =>
  entryField(page, { name: 'discount_code', label: page.texts.discountCode, autocomplete: 'off' })

/** Usage-based products are bought once. */
const hasQuantity = ({ addon, product }: PricedLine): boolean =>
  addon === null && product.price.type !== 'usage_based_price'

const quantityField = (page: PayPage, { name, product, quantity }: PricedLine): Html =>
  wholeField(page, {
    name: `quantity[${product.productId}]`,
    label: `${page.texts.quantity}: ${name ?? product.productId}`,
    value: quantity,
    min: 1,
  })

/** What one costs, where the seller leaves that to the buyer. */
function buyersField(page: PayPage, line: PricedLine): Html | null {
  const { currency, itemId, name, product, unit } = line
  const least = line.addon === null ? leastOfBuyer(product.price) : null
  const told = page.request.products.find(({ productId }) => productId === itemId)
  if (least === null || (told?.amount ?? null) !== null) return null
  return entryField(page, {
    name: amountField(itemId, currency),
    label: `${page.texts.yourPrice} (${currency}): ${name ?? itemId}`,
    type: 'number',
    min: fullUnits({ amount: least, currency }),
    step: fullUnits({ amount: 1, currency }),
    value: fullUnits({ amount: unit, currency }),
  })
}

function addonField(page: PayPage, { addonId, name, price }: Addon): Html {
  const { cart } = page
  const carried = cart.lines.find(({ itemId }) => itemId === addonId)
  const plan = carried?.product ?? planOf(cart, addonId)
  return wholeField(page, {
    name: `addons[${plan?.productId ?? ''}][${addonId}]`,
    label: `${name} (${cartAmount(price, page)})`,
    value: carried?.quantity ?? 0,
    min: 0,
  })
}

const planOf = ({ lines }: PricedCart, addonId: string) =>
  lines.find(({ product }) => product.addonIds.includes(addonId))?.product

const wholeField = (
  page: PayPage,
  field: {
    readonly name: string
    readonly label: string
    readonly value: number
    readonly min: number
  },
): Html => {
  const { label, min, name, value } = field
  return entryField(page, { name, label, type: 'number', min: `${min}`, value: `${value}` })
}

export const cartAmount = (
  units: number,
  { cart, language }: Pick<PayPage, 'cart' | 'language'>,
): string => moneyText(units, cart.currency, language)
