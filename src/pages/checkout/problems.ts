import type { WrongDetail } from '../../rules/commerce/payments/payer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { CheckoutTexts } from './texts/checkout-texts.ts'

interface Spoken {
  readonly language: string
  readonly texts: CheckoutTexts
}

/** What is wrong with a field. English readers are told as closely as programs are. */
export function problemText({ field, problem }: WrongDetail, { language, texts }: Spoken): string {
  if (problem === 'is missing') return texts.isMissing
  if (problem === 'has become dearer') return texts.dearer
  if (language === 'en') return problem
  return texts[problems.get(field) ?? 'wrongValue']
}

const problems: ReadonlyMap<string, keyof CheckoutTexts> = new Map([
  ['card_cvc', 'wrongCvc'],
  ['card_expiry', 'wrongExpiry'],
  ['card_number', 'wrongCardNumber'],
  ['discount_code', 'wrongCode'],
  ['tax_id', 'wrongTaxId'],
] as const)

/** Why the latest attempt was declined; null: it was not. */
export function declineText(payment: Payment | null, { language, texts }: Spoken): string | null {
  if (payment?.status !== 'failed') return null
  const { errorCode, errorMessage } = payment
  if (language === 'en' && errorMessage !== null) return errorMessage
  return texts[declines.get(errorCode ?? '') ?? 'declined']
}

const declines: ReadonlyMap<string, keyof CheckoutTexts> = new Map([
  ['AUTHENTICATION_FAILURE', 'notConfirmed'],
  ['AUTHENTICATION_REQUIRED', 'notConfirmed'],
  ['AUTHENTICATION_TIMEOUT', 'notConfirmed'],
  ['CUSTOMER_CANCELLED', 'notConfirmed'],
  ['EXPIRED_CARD', 'expiredCard'],
  ['INCORRECT_CVC', 'wrongCvc'],
  ['INCORRECT_NUMBER', 'wrongCardNumber'],
  ['INSUFFICIENT_FUNDS', 'insufficientFunds'],
  ['INVALID_CARD_NUMBER', 'wrongCardNumber'],
  ['INVALID_CVC', 'wrongCvc'],
  ['INVALID_EXPIRY_YEAR', 'wrongExpiry'],
] as const)
