import assert from 'node:assert/strict'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Invoices } from '../../invoices.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { InvoiceRow } from './invoice-rows.ts'
import { invoiceColumns, invoiceOf } from './invoice-rows.ts'

export const invoices = (db: Db): Invoices => ({
  async get({ businessId, mode }, kind, subjectId) {
    const [row] = await db.query<InvoiceRow>(sql`
      select ${invoiceColumns} from invoices
      where business_id = ${businessId} and mode = ${mode}
      and kind = ${kind} and subject_id = ${subjectId}`)
    return row === undefined ? null : invoiceOf(row)
  },

  async seller({ businessId, mode }, brandId) {
    const [row] = await db.query<SellerRow>(sql`
      select business.name as business_name, brand.name, brand.url, brand.support_email,
        image.digest
      from businesses as business
      left join brands as brand on brand.business_id = business.business_id
        and brand.mode = ${mode} and brand.brand_id = ${brandId}
      left join files as image on image.business_id = business.business_id
        and image.mode = ${mode} and image.file_id = brand.image_id and image.deleted_at is null
      where business.business_id = ${businessId}`)
    assert(row !== undefined, 'the business of an invoice is gone')
    const name = row.name ?? row.business_name
    const businessName = name === row.business_name ? null : row.business_name
    const logo = row.digest === null ? {} : { logo: row.digest }
    return { name, businessName, url: row.url, email: row.support_email, ...logo }
  },

  async numbers({ businessId, mode }, kind, subjectIds) {
    if (subjectIds.length === 0) return new Map()
    const rows = await db.query<Pick<InvoiceRow, 'number' | 'subject_id'>>(sql`
      select subject_id, number from invoices
      where business_id = ${businessId} and mode = ${mode}
      and kind = ${kind} and subject_id = any(${subjectIds})`)
    return new Map(rows.map((row) => [row.subject_id, row.number]))
  },

  async subjectOf({ businessId, mode }, kind, number) {
    const [row] = await db.query<Pick<InvoiceRow, 'subject_id'>>(sql`
      select subject_id from invoices
      where business_id = ${businessId} and mode = ${mode}
      and kind = ${kind} and number = ${number}`)
    return row?.subject_id ?? null
  },

  async ownerOf(mode, kind, subjectId) {
    const [row] = await db.query<{ business_id: string; mode: Mode }>(sql`
      select business_id, mode from invoices
      where mode = ${mode} and kind = ${kind} and subject_id = ${subjectId}`)
    return row === undefined ? null : { businessId: row.business_id, mode: row.mode }
  },

  async file(kind, subjectId) {
    const [row] = await db.query<{ file: Uint8Array }>(sql`
      select file from invoice_files where kind = ${kind} and subject_id = ${subjectId}`)
    return row?.file ?? null
  },

  async keepFile({ businessId, mode }, { file, kind, subjectId }) {
    const [row] = await db.query<{ file: Uint8Array }>(sql`
      with kept as (
        insert into invoice_files (business_id, mode, kind, subject_id, file)
        values (${businessId}, ${mode}, ${kind}, ${subjectId}, ${Buffer.from(file)})
        on conflict (kind, subject_id) do nothing
        returning file
      )
      select file from kept
      union all
      select file from invoice_files where kind = ${kind} and subject_id = ${subjectId}
      limit 1`)
    // None: another process kept its file in this very moment, which the statement does not see.
    if (row !== undefined) return row.file
    const [other] = await db.query<{ file: Uint8Array }>(sql`
      select file from invoice_files where kind = ${kind} and subject_id = ${subjectId}`)
    assert(other !== undefined, 'a file that was kept is gone')
    return other.file
  },
})

interface SellerRow {
  readonly business_name: string
  readonly name: string | null
  readonly url: string | null
  readonly support_email: string | null
  readonly digest: string | null
}
