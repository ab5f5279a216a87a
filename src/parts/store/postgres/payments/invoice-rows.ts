import type {
  Invoice,
  InvoiceKind,
  InvoicePaper,
  NewInvoice,
} from '../../../../rules/commerce/invoices/invoice.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export interface InvoiceRow {
  readonly kind: InvoiceKind
  readonly subject_id: string
  readonly number: number
  readonly issued_at: Instant
  readonly paper: InvoicePaper
}

export const invoiceColumns = sql`kind, subject_id, number, issued_at, paper`

export const invoiceOf = (row: InvoiceRow): Invoice => ({
  kind: row.kind,
  subjectId: row.subject_id,
  number: row.number,
  issuedAt: row.issued_at,
  paper: row.paper,
})

/** As write_invoices() takes it, which gives it its number. */
export const invoiceRow = ({ businessId, mode }: Scope, invoice: NewInvoice): object => ({
  business_id: businessId,
  mode,
  kind: invoice.kind,
  subject_id: invoice.subjectId,
  issued_at: timestamptz(invoice.issuedAt),
  paper: invoice.paper,
})
