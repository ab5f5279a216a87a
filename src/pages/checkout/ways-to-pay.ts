import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { FormPage } from './fields.ts'
import { entryField, problemOf, radioField } from './fields.ts'

/** What a person pays with: a card that they enter, or one of those that they have saved. */
export function paymentFields(page: FormPage, needsCard: boolean): Html {
  const { savedMethods, takesCard, texts } = page
  if (!takesCard) return html`<p class="note">${texts.sellerConfirms}</p>`
  return html`${savedMethods.length === 0 ? null : savedFields(page)}${cardFields(page, needsCard)}`
}

/** The one that was used last is chosen, unless the person chose otherwise. */
function savedFields(page: FormPage): Html {
  const { savedMethods, texts } = page
  const chosen = page.entered.get('payment_method_id') ?? savedMethods[0]?.paymentMethodId
  const name = 'payment_method_id'
  return html`<fieldset><legend>${texts.payWith}</legend>
${savedMethods.map((method) =>
  radioField({
    name,
    value: method.paymentMethodId,
    label: cardName(method),
    isChosen: method.paymentMethodId === chosen,
  }),
)}
${radioField({ name, value: '', label: texts.anotherCard, isChosen: chosen === '' })}
${problemOf(page, name)}</fieldset>`
}

/** What may be shown of a saved card. */
export const cardName = ({ card }: Pick<SavedMethod, 'card'>): string =>
  `${card.network} •••• ${card.lastFour}, ${card.expiryMonth}/${card.expiryYear.slice(-2)}`

function cardFields(page: FormPage, needsCard: boolean): Html {
  const { savedMethods, texts } = page
  const required = needsCard && savedMethods.length === 0
  const digits = { inputmode: 'numeric', secret: true, required } as const
  return html`<fieldset><legend>${savedMethods.length === 0 ? texts.card : texts.anotherCard}</legend>
${entryField(page, {
  name: 'card_number',
  label: texts.cardNumber,
  autocomplete: 'cc-number',
  ...digits,
})}
${entryField(page, { name: 'card_expiry', label: texts.expiry, autocomplete: 'cc-exp', ...digits })}
${entryField(page, { name: 'card_cvc', label: texts.cvc, autocomplete: 'cc-csc', ...digits })}
</fieldset>`
}
