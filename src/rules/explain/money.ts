import type { Instant } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'
import type { ChainedEntry } from '../commerce/balances/balance-entry.ts'
import type { Currency } from '../commerce/currency.ts'
import type { Dispute } from '../commerce/disputes/dispute.ts'
import type { Payment } from '../commerce/payments/payment.ts'
import type { Payout } from '../commerce/payouts/payout.ts'
import type { Refund } from '../commerce/refunds/refund.ts'
import { majorPrice } from '../commerce/subscriptions/bill-words.ts'
import type { UsageEvent } from '../meter/usage-event.ts'
import { fullUnits } from '../money/money.ts'

/** What money is explained of. [payouts#explanations] */
export const moneyKinds = [
  'payment',
  'refund',
  'dispute',
  'payout',
  'business_ledger_entry',
] as const
export type MoneyKind = (typeof moneyKinds)[number]

/** Something that has made it, or that it has made. */
export interface MoneyLink {
  readonly id: string
  readonly sentence: string
}

/** A line of usage, and the newest events that may have counted for it. */
export interface LineUsage {
  readonly meterId: string
  readonly eventName: string
  readonly from: Instant
  readonly to: Instant
  /** Decimal texts. */
  readonly consumed: string
  readonly free: string
  readonly pricePerUnit: string
  readonly events: readonly Pick<UsageEvent, 'eventId' | 'timestamp'>[]
}

/** What a line of overage bills, and the entries of credits that say so, oldest first. */
export interface LineOverage {
  readonly credits: string
  /** What the business calls a credit. */
  readonly unit: string
  readonly entryIds: readonly string[]
}

export interface ExplainedLine {
  readonly itemId: string
  readonly name: string | null
  readonly amount: number
  readonly tax: number
  readonly sentence: string
  /** Null: it is no line of usage. */
  readonly usage: LineUsage | null
}

export interface MoneyExplanation {
  readonly explains: MoneyKind
  readonly id: string
  /** The number of its paper; null: it has none. */
  readonly paper: string | null
  readonly causes: readonly MoneyLink[]
  readonly effects: readonly MoneyLink[]
  readonly lines: readonly ExplainedLine[]
  /** What it moves in the ledger of the business's money, oldest first. */
  readonly entries: readonly ChainedEntry[]
  readonly summary: readonly string[]
}

type Parts = Omit<MoneyExplanation, 'summary'> & { readonly says: string }

/** An explanation with its sentences, in the order in which they are read. */
export const explainedMoney = ({ says, ...parts }: Parts): MoneyExplanation => ({
  ...parts,
  summary: [
    says,
    ...(parts.paper === null ? [] : [`Its paper is ${parts.paper}.`]),
    ...parts.causes.map(({ sentence }) => sentence),
    ...parts.lines.map(({ sentence }) => sentence),
    ...parts.entries.map(entryText),
    ...parts.effects.map(({ sentence }) => sentence),
  ],
})

const moneyText = (amount: number, currency: Currency): string =>
  `${fullUnits({ amount, currency })} ${currency}`

export const paymentText = (payment: Payment): string => {
  const { currency, errorCode, paymentId, status, tax, totalAmount } = payment
  const why = errorCode === null ? '' : ` (${errorCode})`
  return `Payment ${paymentId} of ${moneyText(totalAmount, currency)}, ${moneyText(tax, currency)} of it tax, is ${status}${why}.`
}

export const refundText = ({ amount, currency, reason, refundId, status }: Refund): string =>
  `Refund ${refundId} of ${moneyText(amount, currency)} is ${status}${because(reason)}.`

export const disputeText = (dispute: Dispute): string => {
  const { amount, answerBy, currency, disputeId, reason, status } = dispute
  const until =
    status === 'dispute_opened' ? `; it can be answered until ${formatInstant(answerBy)}` : ''
  return `Dispute ${disputeId} of ${moneyText(amount, currency)} is ${status}${because(reason)}${until}.`
}

/** In the words of who asked for it. */
const because = (reason: string | null): string => (reason === null ? '' : `, because: ${reason}`)

export const payoutText = (payout: Payout): string => {
  const { amount, currency, fee, fromEntry, payoutId, status, toEntry } = payout
  const less = fee === 0 ? '' : `, after its fee of ${moneyText(fee, currency)},`
  return `Payout ${payoutId} of ${moneyText(amount, currency)}${less} is ${status}: it pays the entries ${fromEntry} to ${toEntry} of the ledger.`
}

export function entryText(entry: ChainedEntry): string {
  const { amount, balanceAfter, balanceBefore, currency, entryId, eventType, number } = entry
  const sign = entry.isCredit ? '+' : '−'
  const chain = `${fullUnits({ amount: balanceBefore, currency })} ${sign} ${fullUnits({ amount, currency })} = ${fullUnits({ amount: balanceAfter, currency })}`
  return `Entry ${number} of the ${currency} ledger, ${entryId}, is ${eventType}: ${chain}.`
}

/** What a payment was for. */
export const purposeLinks = (payment: Payment): readonly MoneyLink[] => [
  ...(payment.sessionId === null
    ? []
    : [link(payment.sessionId, `It was paid in the checkout session ${payment.sessionId}.`)]),
  ...(payment.subscriptionId === null
    ? []
    : [
        link(
          payment.subscriptionId,
          `It is a ${payment.purpose} of subscription ${payment.subscriptionId}.`,
        ),
      ]),
]

/** To entries of credits, which are explained by themselves. */
export const overageLinks = ({ credits, entryIds, unit }: LineOverage): readonly MoneyLink[] =>
  entryIds.map((id) =>
    link(id, `Overage of ${credits} ${unit} was charged by the entry ${id} of its credits.`),
  )

export const link = (id: string, sentence: string): MoneyLink => ({ id, sentence })

/** A line of a payment or refund in words. */
export function explainedLine(
  line: Pick<ExplainedLine, 'itemId' | 'name' | 'amount' | 'tax'>,
  usage: LineUsage | null,
  currency: Currency,
): ExplainedLine {
  const { amount, itemId, name, tax } = line
  const costs = `Line ${name ?? itemId} (${itemId}) is ${moneyText(amount, currency)} and ${moneyText(tax, currency)} of tax`
  const sentence = usage === null ? `${costs}.` : `${costs}: ${usageText(usage, currency)}`
  return { itemId, name, amount, tax, sentence, usage }
}

function usageText(usage: LineUsage, currency: Currency): string {
  const { consumed, events, eventName, free, from, pricePerUnit, to } = usage
  const named = events.map(({ eventId }) => eventId).join(', ')
  const counted = events.length === 0 ? 'None of its events is kept.' : `Newest events: ${named}.`
  const price = `${majorPrice(currency, pricePerUnit)} ${currency}`
  return `usage of ${consumed} units by '${eventName}' from ${formatInstant(from)} to ${formatInstant(to)}, ${free} of them free, at ${price} each. ${counted}`
}
