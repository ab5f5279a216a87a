import type { Addon } from '../../rules/commerce/catalog/addon.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'
import type { Offer } from '../../rules/commerce/payments/offer.ts'
import type { WrongDetail } from '../../rules/commerce/payments/payer.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { problemText } from './problems.ts'
import type { CheckoutTexts } from './texts/checkout-texts.ts'

/** What every page of a checkout needs. */
export interface CheckoutPage {
  /** The session's own path, to which the links and forms of its pages are relative. */
  readonly path: string
  readonly language: string
  readonly texts: CheckoutTexts
  readonly look: Pick<CheckoutRequest['look'], 'design' | 'theme'>
  readonly isTest: boolean
}

/** A page with a form. */
export interface FormPage extends CheckoutPage {
  /** What was entered before, and is shown again; nothing of the card. */
  readonly entered: ReadonlyMap<string, string>
  readonly wrong: readonly WrongDetail[]
  /** What the person may pay with besides a card that they enter. */
  readonly savedMethods: readonly SavedMethod[]
  readonly takesCard: boolean
  /** Why the payment before this one failed; null: there was none. */
  readonly declined: string | null
}

/** The page on which a person pays for what they buy. */
export interface PayPage extends FormPage {
  readonly request: CheckoutRequest
  readonly cart: PricedCart
  /** Add-ons that may be chosen. */
  readonly addons: readonly Addon[]
  /** Products of which one is to be chosen; empty: the session was told what is bought. */
  readonly offers: readonly Offer[]
  /** Whether the way to pay is asked for later. */
  readonly isFirstStep: boolean
  /** The customer that the session was told by id. */
  readonly known: { readonly email: string; readonly name: string } | null
}

export interface EntryField {
  readonly name: string
  readonly label: string
  readonly type?: string
  readonly autocomplete?: string
  readonly inputmode?: string
  readonly min?: string
  /** How finely a number is entered. */
  readonly step?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly readonly?: boolean
  /** What was entered is not shown again. */
  readonly secret?: boolean
  readonly value?: string
}

export function entryField(page: FormPage, field: EntryField): Html {
  const wrong = problemOf(page, field.name)
  const entered = field.secret === true ? undefined : page.entered.get(field.name)
  const given = {
    name: field.name,
    type: field.type ?? 'text',
    value: (field.readonly === true ? undefined : entered) ?? field.value,
    autocomplete: field.autocomplete,
    inputmode: field.inputmode,
    min: field.min,
    step: field.step,
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
export function problemOf(page: FormPage, name: string): Html | null {
  const found = page.wrong.find(({ field }) => field === name)
  return found === undefined ? null : html`<p class="wrong">${problemText(found, page)}</p>`
}

export const marks = (wrong: Html | null): Html | null =>
  wrong === null ? null : html`aria-invalid="true"`

/** A choice of few; nothing is chosen where `chosen` is none of them. */
export function selectField(
  page: PayPage,
  field: Pick<EntryField, 'label' | 'name'> & {
    readonly options: readonly string[]
    readonly chosen: string
  },
): Html {
  const wrong = problemOf(page, field.name)
  const options = field.options.map((each) =>
    each === field.chosen
      ? html`<option selected>${each}</option>`
      : html`<option>${each}</option>`,
  )
  return html`<label><span>${field.label}</span>
<select name="${field.name}" ${marks(wrong)}>${options}</select></label>${wrong}`
}

/** One of several choices, all of which are seen at once. */
export const radioField = (field: {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly isChosen: boolean
}): Html =>
  html`<label class="choice"><input type="radio" name="${field.name}" value="${
    field.value
  }" ${field.isChosen ? html`checked` : null}><span>${field.label}</span></label>`
