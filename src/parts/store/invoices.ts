import type { Invoice, InvoiceKind, InvoiceSeller } from '../../rules/commerce/invoices/invoice.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Scope } from './scope.ts'

/** Papers that were issued, and the files that they were handed out as. */
export interface Invoices {
  /** The invoice of a payment, refund or payout; null: none was issued. */
  get(scope: Scope, kind: InvoiceKind, subjectId: string): Promise<Invoice | null>

  /** Who sells under a brand, as it is now; the primary brand is the business. */
  seller(scope: Scope, brandId: string): Promise<InvoiceSeller>

  /** The numbers of those that have one, by their ids. */
  numbers(
    scope: Scope,
    kind: InvoiceKind,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>>

  /** What a paper is about, by its number; null: there is no such number. */
  subjectOf(scope: Scope, kind: InvoiceKind, number: number): Promise<string | null>

  /** Whose payment, refund or payout it is; null: it has no invoice. */
  ownerOf(mode: Mode, kind: InvoiceKind, subjectId: string): Promise<Scope | null>

  /** Null: it was not asked for yet. */
  file(kind: InvoiceKind, subjectId: string): Promise<Uint8Array | null>

  /** Keeps a file unless one is kept already. Answers the one that is kept. */
  keepFile(scope: Scope, of: DrawnFile): Promise<Uint8Array>
}

export interface DrawnFile {
  readonly kind: InvoiceKind
  readonly subjectId: string
  readonly file: Uint8Array
}
