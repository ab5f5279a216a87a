import type { Instant } from '../../../std/instant.ts'
import type { EntryTotal } from '../balances/balance-entry.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { Currency } from '../currency.ts'
import type { LineWorth } from '../line-worth.ts'

/** What a paper is about: each kind has numbers of its own. [invoices#numbers] */
export const invoiceKinds = ['payment', 'refund', 'payout'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/**
 * A paper that was issued. All that stands on it was kept when it was issued, so that a brand, a
 * product or a customer that changes afterwards changes nothing of it. [invoices#what-stands-on-it]
 */
export interface Invoice {
  readonly kind: InvoiceKind
  /** The payment, refund or payout that it is about. */
  readonly subjectId: string
  /** From 1, without gaps, for each business, mode and kind. */
  readonly number: number
  readonly issuedAt: Instant
  readonly paper: InvoicePaper
}

/** A paper that gets its number when it is written. */
export type NewInvoice = Omit<Invoice, 'number'>

export interface InvoicePaper {
  /** A language tag. */
  readonly language: string
  readonly seller: InvoiceSeller
  /** Null: that of a payout. */
  readonly buyer: InvoiceBuyer | null
  readonly currency: Currency
  readonly lines: readonly InvoiceLine[]
  readonly discounts: readonly InvoiceDiscount[]
  /** Of all lines, in the currency's smallest unit. */
  readonly tax: number
  readonly total: number
  /** The part of the total that the buyer's wallet paid. */
  readonly fromWallet: number
  readonly isReverseCharged: boolean
  /** What a credit note takes back; absent: it is none. */
  readonly credited?: CreditedInvoice
  /** What a payout consists of; absent: it is none. */
  readonly paidOut?: readonly EntryTotal[]
  /** Who paid a payout; absent: the operator has not said so, or it is none. */
  readonly payer?: InvoicePayer
  /** The payment, as its seller finds it; of a payout, the payout. */
  readonly paymentId: string
  readonly card: { readonly network: string; readonly lastFour: string } | null
}

export interface CreditedInvoice {
  /** Null: the payment is of before there were invoices. */
  readonly invoiceId: string | null
}

export interface InvoiceSeller {
  /** Under which name it sells. */
  readonly name: string
  /** The business itself, where it sells under the name of a brand; null: that is its own. */
  readonly businessName: string | null
  readonly url: string | null
  readonly email: string | null
  /** A digest of the image of the brand, as files are kept by; absent: it had none. */
  readonly logo?: string
}

export interface InvoiceBuyer {
  readonly name: string
  readonly businessName: string | null
  readonly email: string
  readonly billing: BillingAddress
  readonly taxId: string | null
}

/** The operator, as it was called when it paid out. */
export interface InvoicePayer {
  readonly name: string
  readonly lines: readonly string[]
}

export interface InvoiceLine {
  readonly name: string
  readonly description: string | null
  /** Null: a part of an amount, rather than so many of it. */
  readonly quantity: number | null
  /** Of all units, without tax. */
  readonly amount: number
  readonly tax: number
  /** Says it instead of `description`, in the paper's language; absent: nothing does. */
  readonly worth?: LineWorth
}

export interface InvoiceDiscount {
  readonly code: string
  /** What it took off the lines, which are as they are after it. */
  readonly amount: number
}

/** The number as people and other programs name it: INV-000042. [invoices#numbers] */
export const invoiceId = (kind: InvoiceKind, number: number): string =>
  `${prefixes[kind]}-${String(number).padStart(6, '0')}`

/** The paper that a number names, `INV-000042`; null: it is no such number. */
export function invoiceNumberOf(
  text: string,
): { readonly kind: InvoiceKind; readonly number: number } | null {
  const [, prefix, digits] = /^([A-Z]{3})-(\d{6,15})$/.exec(text) ?? []
  const kind = invoiceKinds.find((each) => prefixes[each] === prefix)
  return kind === undefined ? null : { kind, number: Number(digits) }
}

const prefixes: Readonly<Record<InvoiceKind, string>> = {
  payment: 'INV',
  refund: 'CRN',
  payout: 'PAY',
}
