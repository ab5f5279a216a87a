import type { InvoiceKind } from '../rules/commerce/invoices/invoice.ts'
import { invoiceId } from '../rules/commerce/invoices/invoice.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import type { Payout } from '../rules/commerce/payouts/payout.ts'
import type { Mode } from '../rules/meter/meter.ts'

/** What a payment says of its invoice; null until it has succeeded. [invoices#links] */
export interface InvoiceLink {
  readonly id: string | null
  readonly url: string | null
}

/** For which the tokens of links are signed. */
export const invoiceLinkPurpose = 'invoice_url'

/** Where invoices are found, and who signs their links. */
export interface InvoiceLinks {
  /** Null: nobody knows the address under which the server is reached. */
  readonly base: string | null
  readonly mode: Mode
  readonly sign: (parts: readonly string[]) => string
}

/** The same, and who signs links to files. */
export interface FactLinks extends InvoiceLinks {
  readonly signDownload: (parts: readonly string[]) => string
}

/** For what is only a sample. */
export const noLinks: FactLinks = {
  base: null,
  mode: 'test',
  sign: () => '',
  signDownload: () => '',
}

/** What the token of a link names, so that it opens nothing else. [invoices#links] */
export const invoiceTokenParts = (
  mode: Mode,
  kind: InvoiceKind,
  subjectId: string,
): readonly string[] => ['invoice', mode, kind, subjectId]

/** [invoices#links] */
export function paymentInvoiceLink(
  links: InvoiceLinks,
  { paymentId, status }: Pick<Payment, 'paymentId' | 'status'>,
  number: number | null,
): InvoiceLink {
  if (status !== 'succeeded') return { id: null, url: null }
  return {
    id: number === null ? null : invoiceId('payment', number),
    url: invoiceUrl(links, 'payment', paymentId),
  }
}

/** Where the paper of a payout opens; null until it has succeeded. [invoices#links] */
export const payoutDocumentUrl = (
  links: InvoiceLinks,
  { payoutId, status }: Payout,
): string | null => (status === 'success' ? invoiceUrl(links, 'payout', payoutId) : null)

function invoiceUrl(
  { base, mode, sign }: InvoiceLinks,
  kind: InvoiceKind,
  subjectId: string,
): string | null {
  if (base === null) return null
  const token = sign(invoiceTokenParts(mode, kind, subjectId))
  return `${base}/invoices/${kind}s/${encodeURIComponent(subjectId)}?token=${token}`
}
