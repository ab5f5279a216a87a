import type { CustomField, EditableDetail } from '../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { countryCodes } from '../../wire/enums.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { moneyText } from './amounts.ts'
import { designStyle } from './design.ts'
import type { CheckoutPage, EntryField, FormPage, PayPage } from './fields.ts'
import { entryField, marks, problemOf } from './fields.ts'
import { cartAmount, orderFields, orderTable } from './order.ts'
import { checkoutScript } from './script.ts'
import { checkoutStyle } from './style.ts'
import { paymentFields } from './ways-to-pay.ts'

/** Where a person enters who pays, and with what. Works without scripts, and better with one. */
export function payPage(page: PayPage): string {
  const { cart, declined, isFirstStep, path, request, texts } = page
  const button = request.look.payButton ?? texts.pay
  return framed(page, texts.order, [
    request.look.showsOrder ? orderTable(page) : html`${problemOf(page, 'order')}`,
    request.onDemand !== null && request.look.showsOnDemand
      ? html`<p class="note">${texts.onDemand}</p>`
      : html``,
    declined === null ? html`` : html`<p class="wrong" role="alert">${declined}</p>`,
    html`<form method="post" action="${path}/pay">
${orderFields(page)}
${whoPays(page)}
${request.customFields.length === 0 ? null : ownFields(page)}
${
  isFirstStep
    ? html`<button formaction="${path}">${texts.next}</button>`
    : html`${paymentFields(page, cart.total > 0 || cart.agreed?.onDemand === true)}
<button>${button} ${cartAmount(cart.total, page)}</button>`
}
<button class="other" formaction="${path}" formnovalidate>${texts.update}</button>
</form>`,
    better,
    request.cancelUrl === null ? html`` : html`<p><a href="${request.cancelUrl}">←</a></p>`,
  ])
}

/** Where a person enters a card for a subscription that they have, and pays what is due. */
export function settlePage(page: FormPage & { readonly due: Payment }): string {
  const { declined, due, language, path, texts } = page
  const amount = (units: number): string => moneyText(units, due.currency, language)
  const total = amount(due.totalAmount)
  const rows = due.lines.map(
    (line) =>
      html`<tr><th scope="row">${line.name ?? line.itemId}</th><td>${amount(line.amount + line.tax)}</td></tr>`,
  )
  return framed(page, texts.keepCard, [
    html`<table><tbody>${rows}</tbody>
<tfoot><tr><th scope="row">${texts.total}</th><td>${total}</td></tr></tfoot></table>
${problemOf(page, 'order')}`,
    declined === null ? html`` : html`<p class="wrong" role="alert">${declined}</p>`,
    html`<form method="post" action="${path}/pay">
<input type="hidden" name="shown_total" value="${due.currency} ${due.totalAmount}">
${paymentFields(page, true)}
<button>${due.totalAmount === 0 ? texts.keepCard : `${texts.pay} ${total}`}</button>
</form>`,
    better,
  ])
}

const better: Html = { html: `<script type="module">${checkoutScript}</script>` }

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

/** What has become of a payment, and where that leads. */
export function donePage(
  page: CheckoutPage,
  of: {
    readonly saying: string
    readonly isPaid: boolean
    readonly invoiceUrl: string | null
    readonly backUrl: string | null
  },
): string {
  const { backUrl, invoiceUrl, isPaid, saying } = of
  const link = (url: string | null, text: string): Html =>
    url === null ? html`` : html`<p><a href="${url}">${text}</a></p>`
  return framed({ ...page, isGood: isPaid }, saying, [
    link(invoiceUrl, page.texts.invoice),
    link(backUrl, page.texts.back),
  ])
}

/** Why a page does not do what was asked; `detail` is for the seller, who reads English. */
export const refusalPage = (page: CheckoutPage, saying: string, detail: string): string =>
  framed(page, saying, [html`<p class="note" lang="en">${detail}</p>`])

/** `isGood`: whether the title says that all went well. */
function framed(
  page: CheckoutPage & { readonly isGood?: boolean },
  title: string,
  body: readonly Html[],
): string {
  const { isTest, language, look, texts } = page
  return html`<!doctype html>
<html lang="${language}" data-theme="${look.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: checkoutStyle + designStyle(look.design) }}</style>
</head>
<body>
<main>
${isTest ? html`<p class="note">${texts.testMode}</p>` : null}
<h1${page.isGood === true ? html` class="good"` : null}>${title}</h1>
${body}
</main>
</body>
</html>
`.html
}

function whoPays(page: PayPage): Html {
  const { known, request, texts } = page
  const told = request.customer !== null && 'email' in request.customer ? request.customer : null
  const own = { email: known?.email ?? told?.email, name: known?.name ?? told?.name }
  const knowsPhone = known !== null || told?.phoneNumber != null
  return html`<fieldset>
${entryField(page, {
  name: 'email',
  label: texts.email,
  type: 'email',
  autocomplete: 'email',
  required: true,
  ...held(own.email, isFixed(page, 'email')),
})}
${entryField(page, {
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
  entryField(page, {
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
    entryField(page, {
      name,
      label: texts[name],
      autocomplete: addressNames[name],
      ...held(billing?.[name], isFixed(page, name)),
    }),
  )
  return html`<fieldset><legend>${texts.address}</legend>
${countryField(page, country, billing?.country != null && isFixed(page, 'country'))}
${entryField(page, {
  name: 'zipcode',
  label: texts.zipcode,
  autocomplete: 'postal-code',
  ...held(billing?.zipcode, isFixed(page, 'zipcode')),
})}
${rest}
${asksFor.taxId || taxId !== null ? html`<div data-part="tax">${taxFields(page)}</div>` : null}
</fieldset>`
}

/** A number that was told holds, unless it is none. */
function taxFields(page: PayPage): Html {
  const { request, texts } = page
  const { asksFor, customerBusinessName, editable, taxId } = request
  const isWrong = problemOf(page, 'tax_id') !== null
  const mayName = asksFor.taxId || editable.includes('tax_id') || editable.includes('business_name')
  return html`${entryField(page, {
    name: 'tax_id',
    label: texts.taxId,
    ...held(taxId, isFixed(page, 'tax_id') && !isWrong),
  })}
${
  mayName
    ? entryField(page, {
        name: 'business_name',
        label: texts.businessName,
        autocomplete: 'organization',
        ...held(customerBusinessName, false),
      })
    : null
}`
}

const isFixed = ({ request }: PayPage, name: EditableDetail): boolean =>
  !request.editable.includes(name)

const addressNames = {
  street: 'street-address',
  city: 'address-level2',
  state: 'address-level1',
} as const

const held = (value: string | null | undefined, fixed: boolean): Partial<EntryField> =>
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

const ownFields = (page: PayPage): Html =>
  html`<fieldset>${page.request.customFields.map((field) => ownField(page, field))}</fieldset>`

function ownField(page: PayPage, field: CustomField): Html {
  const { key, label, options, required, type } = field
  const name = `custom_fields[${key}]`
  if (type !== 'dropdown' && type !== 'boolean') {
    const placeholder = field.placeholder ?? undefined
    return entryField(page, { name, label, type, required, ...(placeholder && { placeholder }) })
  }
  const { no, yes } = page.texts
  const choices =
    type === 'boolean'
      ? ([
          ['true', yes],
          ['false', no],
        ] as const)
      : options.map((each) => [each, each] as const)
  const chosen = page.entered.get(name)
  const wrong = problemOf(page, name)
  return html`<label><span>${label}</span>
<select name="${name}" ${required ? html`required` : null} ${marks(wrong)}>
<option value=""></option>${choices.map(
    ([value, text]) =>
      html`<option value="${value}" ${value === chosen ? html`selected` : null}>${text}</option>`,
  )}
</select></label>${wrong}`
}
