import assert from 'node:assert/strict'
import { notFound, orNotFound } from '../../faults.ts'
import type { Files } from '../../parts/files/port.ts'
import type { Papers } from '../../parts/papers/port.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { CheckoutSessions } from '../../parts/store/checkout-sessions.ts'
import type { Invoices } from '../../parts/store/invoices.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Invoice, InvoiceKind } from '../../rules/commerce/invoices/invoice.ts'
import { invoiceId } from '../../rules/commerce/invoices/invoice.ts'
import { sheetOf } from '../../rules/commerce/invoices/sheet-of.ts'
import { concat } from '../../std/bytes.ts'
import { invoicing } from '../payments/brought/invoice.ts'
import type { ReadPaymentsNeeds } from '../payments/read-payments.ts'
import { readPayment } from '../payments/read-payments.ts'

export interface ReadInvoiceNeeds extends ReadPaymentsNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly files: Pick<Files, 'read'>
  readonly invoices: Invoices
  readonly papers: Papers
  readonly sessions: CheckoutSessions
}

/** A paper as it is handed out. */
export interface InvoiceFile {
  /** The invoice's number, as people name it. */
  readonly id: string
  readonly file: Uint8Array
}

/**
 * The invoice of a payment as a PDF: drawn when it is asked for first, kept, and the same ever
 * after. 404 for an unknown payment, and for one that has not succeeded. [invoices#pdf]
 */
export async function readPaymentInvoice(
  needs: ReadInvoiceNeeds,
  scope: Scope,
  paymentId: string,
): Promise<InvoiceFile> {
  const issued = await needs.invoices.get(scope, 'payment', paymentId)
  return fileOf(needs, scope, issued ?? (await issuedLate(needs, scope, paymentId)))
}

/** The paper of a refund or a payout that succeeded, likewise; 404 for any other. [invoices#pdf] */
export const readIssuedPaper =
  (kind: Exclude<InvoiceKind, 'payment'>) =>
  async (needs: ReadInvoiceNeeds, scope: Scope, subjectId: string): Promise<InvoiceFile> => {
    const issued = await needs.invoices.get(scope, kind, subjectId)
    return fileOf(needs, scope, orNotFound(issued, `invoice of ${kind}`, subjectId))
  }

async function fileOf(
  { files, invoices, papers }: ReadInvoiceNeeds,
  scope: Scope,
  invoice: Invoice,
): Promise<InvoiceFile> {
  const { kind, number, subjectId } = invoice
  const id = invoiceId(kind, number)
  const kept = await invoices.file(kind, subjectId)
  if (kept !== null) return { id, file: kept }
  const logo = await logoOn(invoice, files)
  const file = await papers.draw(sheetOf(invoice, scope.mode), logo)
  return { id, file: await invoices.keepFile(scope, { kind, subjectId, file }) }
}

/** The image that the seller had when the paper was issued; null: none, or it is gone. */
async function logoOn({ paper }: Invoice, files: Pick<Files, 'read'>): Promise<Uint8Array | null> {
  const { logo } = paper.seller
  const content = logo === undefined ? null : await files.read(logo)
  if (content === null) return null
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return concat(parts)
}

/** A payment that succeeded before there were invoices gets one when it is asked for. */
async function issuedLate(
  needs: ReadInvoiceNeeds,
  scope: Scope,
  paymentId: string,
): Promise<Invoice> {
  const { customer, payment } = await readPayment(needs, scope, paymentId)
  if (payment.status !== 'succeeded') throw notFound('invoice of payment', paymentId)
  const issue = await invoicing(needs, scope, { customer, payment })
  const row = issue({ at: payment.updatedAt, payment })
  // Refused where somebody else has just issued it.
  await needs.changes.commit(rowAlone(scope, { noun: 'invoice', expected: null, row }))
  const issued = await needs.invoices.get(scope, 'payment', paymentId)
  assert(issued !== null, 'an invoice that was issued is gone')
  return issued
}
