import type { Instant } from '../../../std/instant.ts'
import { millisecond } from '../../../std/instant.ts'
import type { Mode } from '../../meter/meter.ts'
import { decimalsOf } from '../../money/currency-decimals.ts'
import type { Currency } from '../currency.ts'
import type { LineWorth } from '../line-worth.ts'
import type { Invoice, InvoiceBuyer, InvoiceLine, InvoicePaper, InvoiceSeller } from './invoice.ts'
import { invoiceId } from './invoice.ts'
import type { InvoiceTexts } from './invoice-texts.ts'
import { invoiceTextsFor } from './invoice-texts.ts'
import { entryNames, payoutTexts } from './payout-texts.ts'
import type { Sheet, SheetColumn, SheetFact, SheetParty, SheetRow, SheetTotal } from './sheet.ts'
import { worthWords } from './worth-texts.ts'

/** How a language writes things. */
interface Wording {
  readonly texts: InvoiceTexts
  money(amount: number): string
  count(number: number): string
  date(at: Instant): string
  country(code: string): string
  /** How a line of usage or overage came to its amount. */
  worth(of: LineWorth): string
}

/** An invoice as it is read, in its language. [invoices#what-stands-on-it] */
export function sheetOf(invoice: Invoice, mode: Mode): Sheet {
  const { issuedAt, kind, number, paper } = invoice
  const { language, texts } = invoiceTextsFor(paper.language)
  const wording = wordingOf(language, texts, paper.currency)
  const id = invoiceId(kind, number)
  const heading = headingOf(paper, texts)
  return {
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    country: paper.buyer?.billing.country ?? '',
    title: `${heading} ${id}`,
    author: paper.seller.businessName ?? paper.seller.name,
    issuedAt,
    heading,
    notice: mode === 'test' ? texts.testMode : null,
    seller: sellerParty(paper.seller),
    buyer: paper.buyer === null ? payerParty(paper) : buyerParty(paper.buyer, wording),
    facts: factsOf(id, invoice, wording),
    columns: columnsOf(texts),
    rows: paper.lines.map((line) => rowOf(line, wording)).map(withEntries(paper, wording)),
    totals: totalsOf(paper, wording),
    notes: notesOf(invoice, wording),
    footer: `${id} · ${texts.page}`,
  }
}

function headingOf({ credited, paidOut }: InvoicePaper, texts: InvoiceTexts): string {
  if (paidOut !== undefined) return payoutTexts.heading
  return credited === undefined ? texts.heading : texts.creditNote
}

function wordingOf(language: string, texts: InvoiceTexts, currency: Currency): Wording {
  // Everybody who checks an invoice reads these digits.
  const tag = `${language}-u-nu-latn-ca-gregory`
  const decimals = decimalsOf(currency)
  const money = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  const all = { maximumFractionDigits: 20 }
  const count = new Intl.NumberFormat(tag, all)
  const price = new Intl.NumberFormat(tag, { ...all, style: 'currency', currency })
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const countries = new Intl.DisplayNames([tag], { type: 'region' })
  return {
    texts,
    money: (amount) => money.format(amount / 10 ** decimals),
    count: (number) => count.format(number),
    date: (at) => date.format(at / millisecond),
    country: (code) => countries.of(code) ?? code,
    worth: (of) => worthWords(of, { language, count: written(count), price: written(price) }),
  }
}

/** Writes decimal text whole, whatever a number could hold of it. */
const written =
  (format: Intl.NumberFormat) =>
  (decimal: string): string =>
    format.format(decimal as Intl.StringNumericLiteral)

function sellerParty({ businessName, email, name, url }: InvoiceSeller): SheetParty {
  return { label: null, name, lines: present([businessName, email, url]) }
}

function buyerParty(buyer: InvoiceBuyer, { country, texts }: Wording): SheetParty {
  const { billing, businessName, email, name, taxId } = buyer
  const place = present([billing.zipcode, billing.city]).join(' ')
  return {
    label: texts.billedTo,
    name: businessName ?? name,
    lines: present([
      businessName === null ? null : name,
      billing.street,
      place,
      billing.state,
      country(billing.country),
      email,
      taxId === null ? null : `${texts.taxId}: ${taxId}`,
    ]),
  }
}

/** The other party of a payout. [invoices#payouts] */
const payerParty = ({ payer }: InvoicePaper): SheetParty | null =>
  payer === undefined ? null : { label: payoutTexts.paidBy, ...payer }

const present = (texts: readonly (string | null)[]): readonly string[] =>
  texts.flatMap((text) => (text === null || text.trim() === '' ? [] : [text]))

const factsOf = (
  id: string,
  { issuedAt, paper }: Invoice,
  { date, texts }: Wording,
): readonly SheetFact[] => [
  { label: numberLabel(paper, texts), value: id },
  ...(paper.credited?.invoiceId == null
    ? []
    : [{ label: texts.forInvoice, value: paper.credited.invoiceId }]),
  { label: texts.date, value: date(issuedAt) },
  {
    label: paper.paidOut === undefined ? texts.payment : payoutTexts.payout,
    value: paper.paymentId,
  },
]

function numberLabel({ credited, paidOut }: InvoicePaper, texts: InvoiceTexts): string {
  if (paidOut !== undefined) return payoutTexts.number
  return credited === undefined ? texts.number : texts.creditNoteNumber
}

const columnsOf = (texts: InvoiceTexts): readonly SheetColumn[] => [
  { label: texts.description, side: 'start', share: 0.46 },
  { label: texts.quantity, side: 'end', share: 0.12 },
  { label: texts.tax, side: 'end', share: 0.19 },
  { label: texts.amount, side: 'end', share: 0.23 },
]

const rowOf = (line: InvoiceLine, { count, money, worth }: Wording): SheetRow => ({
  cells: [
    line.name,
    line.quantity === null ? '' : count(line.quantity),
    money(line.tax),
    money(line.amount),
  ],
  details: present([line.worth === undefined ? line.description : worth(line.worth)]),
})

/** A payout's only line says what it consists of. [invoices#payouts] */
const withEntries =
  ({ paidOut = [] }: InvoicePaper, { money }: Wording) =>
  (row: SheetRow): SheetRow => ({
    ...row,
    details: [
      ...row.details,
      ...paidOut.map(({ eventType, total }) => `${entryNames[eventType]}: ${money(total)}`),
    ],
  })

function totalsOf(paper: InvoicePaper, { money, texts }: Wording): readonly SheetTotal[] {
  const plain = (label: string, amount: number): SheetTotal => ({
    label,
    value: money(amount),
    isStrong: false,
  })
  const total = { label: texts.total, value: money(paper.total), isStrong: true }
  if (paper.paidOut !== undefined) return [total]
  return [
    ...paper.discounts.map(({ amount, code }) =>
      plain(texts.discount.replace('{code}', code), -amount),
    ),
    plain(texts.subtotal, paper.total - paper.tax),
    plain(texts.tax, paper.tax),
    total,
    ...(paper.fromWallet === 0 ? [] : [plain(texts.fromWallet, paper.fromWallet)]),
  ]
}

function notesOf({ issuedAt, paper }: Invoice, { date, texts }: Wording): readonly string[] {
  const { card, isReverseCharged } = paper
  const paidAt = date(issuedAt)
  const named = card === null ? null : `${card.network} •••• ${card.lastFour}`
  if (paper.paidOut !== undefined) return [texts.paidOn.replace('{date}', paidAt)]
  if (paper.credited !== undefined) return [texts.paidBackOn.replace('{date}', paidAt)]
  const paid =
    named === null
      ? texts.paidOn.replace('{date}', paidAt)
      : texts.paidByCard.replace('{date}', paidAt).replace('{card}', named)
  return [...(isReverseCharged ? [texts.reverseCharge] : []), paid]
}
