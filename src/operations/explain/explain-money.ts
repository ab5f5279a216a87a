import { notFound, orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { ChainedEntry } from '../../rules/commerce/balances/balance-entry.ts'
import type { InvoiceKind } from '../../rules/commerce/invoices/invoice.ts'
import { invoiceId, invoiceNumberOf } from '../../rules/commerce/invoices/invoice.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Payout } from '../../rules/commerce/payouts/payout.ts'
import { entriesPaidBy } from '../../rules/commerce/payouts/payout.ts'
import type { MoneyExplanation, MoneyLink } from '../../rules/explain/money.ts'
import {
  disputeText,
  entryText,
  explainedLine,
  explainedMoney,
  link,
  overageLinks,
  paymentText,
  payoutText,
  purposeLinks,
  refundText,
} from '../../rules/explain/money.ts'
import { overageOfLines } from './line-overage.ts'
import { usageOfLines } from './line-usage.ts'
import type { MoneyNeeds } from './money-needs.ts'

/** How many entries an explanation shows. */
const shownMax = 50

type Explain = (needs: MoneyNeeds, scope: Scope, id: string) => Promise<MoneyExplanation>

/** By the beginning of the id. */
const byPrefix: Readonly<Record<string, Explain>> = {
  pay: explainPayment,
  ref: explainRefund,
  dis: explainDispute,
  pyt: explainPayout,
  ble: explainBooked,
}

/**
 * Who has such money; nobody: it is no id of money, or unknown. Ids are of one business, numbers of
 * papers may be of several.
 */
export async function ownersOfMoney(
  needs: MoneyNeeds,
  id: string,
  scopes: () => Promise<readonly Scope[]>,
): Promise<readonly Scope[]> {
  const numbered = invoiceNumberOf(id)
  if (numbered === null) {
    const { balances, disputes, payments, payouts, refunds } = needs
    const rooms = { pay: payments, ref: refunds, dis: disputes, pyt: payouts, ble: balances }
    const room = Object.entries(rooms).find(([prefix]) => prefix === prefixOf(id))?.[1]
    const found = room === undefined ? null : await room.find(id)
    return found === null ? [] : [{ businessId: found.businessId, mode: found.mode }]
  }
  const { kind, number } = numbered
  const all = await scopes()
  const subjects = await Promise.all(
    all.map((scope) => needs.invoices.subjectOf(scope, kind, number)),
  )
  return all.filter((_, index) => subjects[index] !== null)
}

const prefixOf = (id: string): string => /^([a-z]+)_/.exec(id)?.[1] ?? ''

/**
 * What made a payment, refund, dispute, payout or entry of the business's money, and what became of
 * it; a paper's number explains what it is about. 404 for an unknown one. [payouts#explanations]
 */
export async function explainMoney(
  needs: MoneyNeeds,
  scope: Scope,
  id: string,
): Promise<MoneyExplanation> {
  const numbered = invoiceNumberOf(id)
  const found =
    numbered === null
      ? id
      : orNotFound(
          await needs.invoices.subjectOf(scope, numbered.kind, numbered.number),
          'paper',
          id,
        )
  const explain = byPrefix[prefixOf(found)]
  if (explain === undefined) throw notFound('payment, refund, dispute, payout or entry', id)
  return explain(needs, scope, found)
}

async function explainPayment(needs: MoneyNeeds, scope: Scope, id: string) {
  const payment = orNotFound(await needs.payments.get(scope, id), 'payment', id)
  const refunds = await needs.refunds.ofPayment(scope, id)
  const disputes = await needs.disputes.ofPayment(scope, id)
  const entries = await booksOf(needs, scope, id)
  const usage = await usageOfLines(needs, scope, payment)
  const overage = await overageOfLines(needs, scope, payment)
  return explainedMoney({
    explains: 'payment',
    id,
    says: paymentText(payment),
    paper: await paperOf(needs, scope, { kind: 'payment', id }),
    causes: [...purposeLinks(payment), ...[...overage.values()].flatMap(overageLinks)],
    lines: payment.lines.map((line) =>
      explainedLine(line, usage.get(line.itemId) ?? null, payment.currency),
    ),
    entries,
    effects: [
      ...refunds.map((refund) => link(refund.refundId, refundText(refund))),
      ...disputes.map((dispute) => link(dispute.disputeId, disputeText(dispute))),
      ...(await paidOutBy(needs, scope, entries)),
    ],
  })
}

async function explainRefund(needs: MoneyNeeds, scope: Scope, id: string) {
  const refund = orNotFound(await needs.refunds.get(scope, id), 'refund', id)
  const payment = await needs.payments.get(scope, refund.paymentId)
  const names = new Map(payment?.lines.map(({ itemId, name }) => [itemId, name]))
  const entries = await booksOf(needs, scope, id)
  return explainedMoney({
    explains: 'refund',
    id,
    says: refundText(refund),
    paper: await paperOf(needs, scope, { kind: 'refund', id }),
    causes: paymentLinks(payment),
    lines: refund.lines.map(({ amount, itemId, tax }) => {
      const line = { itemId, name: names.get(itemId) ?? null, amount: amount - tax, tax }
      return explainedLine(line, null, refund.currency)
    }),
    entries,
    effects: await paidOutBy(needs, scope, entries),
  })
}

async function explainDispute(needs: MoneyNeeds, scope: Scope, id: string) {
  const dispute = orNotFound(await needs.disputes.get(scope, id), 'dispute', id)
  const entries = await booksOf(needs, scope, id)
  return explainedMoney({
    explains: 'dispute',
    id,
    says: disputeText(dispute),
    paper: null,
    causes: paymentLinks(await needs.payments.get(scope, dispute.paymentId)),
    lines: [],
    entries,
    effects: await paidOutBy(needs, scope, entries),
  })
}

async function explainPayout(needs: MoneyNeeds, scope: Scope, id: string) {
  const payout = orNotFound(await needs.payouts.get(scope, id), 'payout', id)
  const paid = await needs.balances.between(scope, entriesPaidBy(payout), {
    limit: shownMax,
    offset: 0,
  })
  return explainedMoney({
    explains: 'payout',
    id,
    says: payoutText(payout) + shownText(payout),
    paper: await paperOf(needs, scope, { kind: 'payout', id }),
    causes: paid
      .filter(({ referenceId }) => referenceId !== id)
      .map((entry) => link(entry.entryId, `${entryText(entry)} Its cause: ${entry.referenceId}.`)),
    lines: [],
    entries: await booksOf(needs, scope, id),
    effects: [],
  })
}

const shownText = ({ fromEntry, toEntry }: Payout): string =>
  toEntry - fromEntry < shownMax ? '' : ` The first ${shownMax} of them are shown.`

async function explainBooked(needs: MoneyNeeds, { businessId, mode }: Scope, id: string) {
  const found = orNotFound(await needs.balances.find(id), 'entry', id)
  if (found.businessId !== businessId || found.mode !== mode) throw notFound('entry', id)
  const { entry } = found
  const cause = await explainMoney(needs, found, entry.referenceId)
  return explainedMoney({
    explains: 'business_ledger_entry',
    id,
    says: `Entry ${id} was booked with ${entry.referenceId}.`,
    paper: cause.paper,
    causes: [link(cause.id, cause.summary[0] ?? ''), ...cause.causes],
    lines: cause.lines,
    entries: [entry],
    effects: await paidOutBy(needs, found, [entry]),
  })
}

const paymentLinks = (payment: Payment | null): readonly MoneyLink[] =>
  payment === null ? [] : [link(payment.paymentId, paymentText(payment)), ...purposeLinks(payment)]

async function paperOf(
  { invoices }: MoneyNeeds,
  scope: Scope,
  { id, kind }: { readonly id: string; readonly kind: InvoiceKind },
): Promise<string | null> {
  const number = (await invoices.numbers(scope, kind, [id])).get(id)
  return number === undefined ? null : invoiceId(kind, number)
}

/** What it has booked, oldest first. */
async function booksOf({ balances }: MoneyNeeds, scope: Scope, referenceId: string) {
  const anything = { currency: null, eventType: null, createdFrom: null, createdTo: null }
  const page = { limit: shownMax, offset: 0 }
  return (await balances.entries(scope, { ...anything, referenceId }, page)).toReversed()
}

/** The payouts that pay these entries. */
async function paidOutBy(
  { payouts }: MoneyNeeds,
  scope: Scope,
  entries: readonly ChainedEntry[],
): Promise<readonly MoneyLink[]> {
  const found = await Promise.all(entries.map((entry) => payouts.paying(scope, entry)))
  const each = new Map(found.flatMap((payout) => payout ?? []).map((one) => [one.payoutId, one]))
  return [...each.values()].map((payout) => link(payout.payoutId, payoutText(payout)))
}
