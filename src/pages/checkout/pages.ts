import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type {
  CheckoutRequest,
  CustomField,
  EditableDetail,
} from '../../rules/commerce/payments/checkout-session.ts'
import type { WrongDetail } from '../../rules/commerce/payments/payer.ts'
import { decimalsOf } from '../../rules/money/currency-decimals.ts'
import { countryCodes } from '../../wire/enums.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { checkoutStyle } from './style.ts'
import type { CheckoutTexts } from './texts.ts'

/** What every page of a checkout needs. */
export interface CheckoutPage {
  /** The session's own path, to which the links and forms of its pages are relative. */
  readonly path: string
  readonly language: string
  readonly texts: CheckoutTexts
  readonly theme: CheckoutRequest['look']['theme']
  readonly isTest: boolean
}

/** The page on which a person pays. */
export interface PayPage extends CheckoutPage {
  readonly request: CheckoutRequest
  readonly cart: PricedCart
  /** The customer that the session was told by id. */
  readonly known: { readonly email: string; readonly name: string } | null
  readonly takesCard: boolean
  /** What was entered before, and is shown again; nothing of the card. */
  readonly entered: ReadonlyMap<string, string>
  readonly wrong: readonly WrongDetail[]
  /** Why the payment before this one failed; null: there was none. */
  readonly declined: string | null
}

/** Where a person enters who pays, and with what. Works without scripts. */
export function payPage(page: PayPage): string {
  const { cart, declined, path, request, texts, takesCard } = page
  const button = request.look.payButton ?? texts.pay
  return framed(page, texts.order, [
    request.look.showsOrder ? orderTable(page) : html``,
    declined === null ? html`` : html`<p class="wrong" role="alert">${declined}</p>`,
    html`<form method="post" action="${path}/pay">
${whoPays(page)}
${request.customFields.length === 0 ? null : ownFields(page)}
${takesCard ? cardFields(page) : html`<p class="note">${texts.sellerConfirms}</p>`}
<button>${button} ${moneyText(cart.total, page)}</button>
</form>`,
    request.cancelUrl === null ? html`` : html`<p><a href="${request.cancelUrl}">←</a></p>`,
  ])
}

/** What 3-D Secure is in the sandbox: a question with two answers. */
export function verifyPage(page: CheckoutPage): string {
  const { path, texts } = page
  return framed(page, texts.confirmQuestion, [
    html`<form method="post" action="${path}/verify">
<button name="outcome" value="pass">${texts.confirmYes}</button>
<button class="other" name="outcome" value="fail">${texts.confirmNo}</button>
</form>`,
  ])
}

/** A page that says one thing. */
export const sayingPage = (page: CheckoutPage, saying: string): string => framed(page, saying, [])

function framed(page: CheckoutPage, title: string, body: readonly Html[]): string {
  const { isTest, language, texts, theme } = page
  return html`<!doctype html>
<html lang="${language}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: checkoutStyle }}</style>
</head>
<body>
<main>
${isTest ? html`<p class="note">${texts.testMode}</p>` : null}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html
}

function orderTable({ cart, texts, language }: PayPage): Html {
  const amount = (units: number): string => moneyText(units, { cart, language })
  return html`<table>
<tbody>
${cart.lines.map(
  (line) =>
    html`<tr><th scope="row">${line.name ?? line.itemId}${
      line.quantity === 1 ? '' : ` × ${line.quantity}`
    }</th><td>${amount(line.amount)}</td></tr>`,
)}
</tbody>
<tfoot><tr><th scope="row">${texts.total}</th><td>${amount(cart.total)}</td></tr></tfoot>
</table>`
}

/** The amount as the language writes it; the platform knows the decimals of most currencies. */
function moneyText(units: number, { cart, language }: Pick<PayPage, 'cart' | 'language'>): string {
  const { currency } = cart
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(units / 10 ** decimals)
}

function whoPays(page: PayPage): Html {
  const { known, request, texts } = page
  const told = request.customer !== null && 'email' in request.customer ? request.customer : null
  const own = { email: known?.email ?? told?.email, name: known?.name ?? told?.name }
  const knowsPhone = known !== null || told?.phoneNumber != null
  return html`<fieldset>
${textField(page, {
  name: 'email',
  label: texts.email,
  type: 'email',
  autocomplete: 'email',
  required: true,
  ...held(own.email, isFixed(page, 'email')),
})}
${textField(page, {
  name: 'name',
  label: texts.name,
  autocomplete: 'name',
  ...held(own.name, isFixed(page, 'name')),
})}
${request.asksFor.phoneNumber === 'never' || knowsPhone ? null : phoneField(page)}
</fieldset>
${whereTheyAre(page)}`
}

const phoneField = (page: PayPage): Html =>
  textField(page, {
    name: 'phone_number',
    label: page.texts.phone,
    type: 'tel',
    autocomplete: 'tel',
    required: page.request.asksFor.phoneNumber === 'required',
  })

function whereTheyAre(page: PayPage): Html {
  const { request, texts } = page
  const { asksFor, billing, taxId } = request
  const country = page.entered.get('country') ?? billing?.country ?? ''
  const wanted = asksFor.minimalAddress ? [] : (['street', 'city', 'state'] as const)
  const rest = wanted.map((name) =>
    textField(page, {
      name,
      label: texts[name],
      autocomplete: addressNames[name],
      ...held(billing?.[name], isFixed(page, name)),
    }),
  )
  return html`<fieldset><legend>${texts.address}</legend>
${countryField(page, country, billing?.country != null && isFixed(page, 'country'))}
${textField(page, {
  name: 'zipcode',
  label: texts.zipcode,
  autocomplete: 'postal-code',
  ...held(billing?.zipcode, isFixed(page, 'zipcode')),
})}
${rest}
${
  asksFor.taxId
    ? textField(page, {
        name: 'tax_id',
        label: texts.taxId,
        ...held(taxId, isFixed(page, 'tax_id')),
      })
    : null
}
</fieldset>`
}

const isFixed = ({ request }: PayPage, name: EditableDetail): boolean =>
  !request.editable.includes(name)

const addressNames = {
  street: 'street-address',
  city: 'address-level2',
  state: 'address-level1',
} as const

const held = (value: string | null | undefined, fixed: boolean): Partial<Field> =>
  value == null ? {} : { value, readonly: fixed }

function countryField(page: PayPage, chosen: string, fixed: boolean): Html {
  const { language, texts } = page
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const countries = countryCodes
    .filter((code) => !fixed || code === chosen)
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
  const options = countries.map(({ code, name }) =>
    code === chosen
      ? html`<option value="${code}" selected>${name}</option>`
      : html`<option value="${code}">${name}</option>`,
  )
  const wrong = problemOf(page, 'country')
  return html`<label><span>${texts.country}</span>
<select name="country" autocomplete="country" required ${marks(wrong)}>
${fixed ? null : html`<option value=""></option>`}${options}
</select></label>${wrong}`
}

function cardFields(page: PayPage): Html {
  const { texts } = page
  const digits = { inputmode: 'numeric', secret: true, required: page.cart.total > 0 } as const
  return html`<fieldset><legend>${texts.card}</legend>
${textField(page, {
  name: 'card_number',
  label: texts.cardNumber,
  autocomplete: 'cc-number',
  ...digits,
})}
${textField(page, { name: 'card_expiry', label: texts.expiry, autocomplete: 'cc-exp', ...digits })}
${textField(page, { name: 'card_cvc', label: texts.cvc, autocomplete: 'cc-csc', ...digits })}
</fieldset>`
}

const ownFields = (page: PayPage): Html =>
  html`<fieldset>${page.request.customFields.map((field) => ownField(page, field))}</fieldset>`

function ownField(page: PayPage, field: CustomField): Html {
  const { key, label, options, required, type } = field
  const name = `custom_fields[${key}]`
  if (type !== 'dropdown' && type !== 'boolean') {
    const placeholder = field.placeholder ?? undefined
    return textField(page, { name, label, type, required, ...(placeholder && { placeholder }) })
  }
  const choices = type === 'boolean' ? ['true', 'false'] : options
  const chosen = page.entered.get(name)
  const wrong = problemOf(page, name)
  return html`<label><span>${label}</span>
<select name="${name}" ${required ? html`required` : null} ${marks(wrong)}>
<option value=""></option>${choices.map((each) =>
    each === chosen ? html`<option selected>${each}</option>` : html`<option>${each}</option>`,
  )}
</select></label>${wrong}`
}

interface Field {
  readonly name: string
  readonly label: string
  readonly type?: string
  readonly autocomplete?: string
  readonly inputmode?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly readonly?: boolean
  /** What was entered is not shown again. */
  readonly secret?: boolean
  readonly value?: string
}

function textField(page: PayPage, field: Field): Html {
  const wrong = problemOf(page, field.name)
  const entered = field.secret === true ? undefined : page.entered.get(field.name)
  const given = {
    name: field.name,
    type: field.type ?? 'text',
    value: (field.readonly === true ? undefined : entered) ?? field.value,
    autocomplete: field.autocomplete,
    inputmode: field.inputmode,
    placeholder: field.placeholder,
  }
  const attributes = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [html`${name}="${value}" `],
  )
  return html`<label><span>${field.label}</span>
<input ${attributes}${field.required === true ? html`required ` : null}${
    field.readonly === true ? html`readonly ` : null
  }${marks(wrong)}></label>${wrong}`
}

/** The sentence under a wrong field; null: it is fine. */
function problemOf({ texts, wrong }: PayPage, name: string): Html | null {
  const found = wrong.find(({ field }) => field === name)
  if (found === undefined) return null
  const problem = found.problem === 'is missing' ? texts.isMissing : found.problem
  return html`<p class="wrong">${problem}</p>`
}

const marks = (wrong: Html | null): Html | null =>
  wrong === null ? null : html`aria-invalid="true"`
