import type { FeeRow } from '../rules/commerce/charges/fee-table.ts'
import { feeKinds } from '../rules/commerce/charges/fee-table.ts'
import type { TaxRow } from '../rules/commerce/charges/tax-table.ts'
import { regionInCapitals } from '../rules/commerce/charges/tax-table.ts'
import { parseDecimal } from '../std/decimal.ts'
import type { CsvLine } from './csv.ts'
import { csvLines } from './csv.ts'
import { countryCodes, currencies, taxCategories } from './enums.ts'

/** Lines of one table, more than any tax authority needs. */
const linesMax = 20_000

/** The rows of a file, or what is wrong with its first wrong line. */
type Table<Row> = readonly Row[] | { readonly problem: string }

/** `country,region,category,rate_percent`. [resources#taxes] */
export const taxTable = (text: string): Table<TaxRow> =>
  tableOf(text, ['country', 'region', 'category', 'rate_percent'], taxRow)

/** `kind,percent,fixed_minor,currency`. [resources#fees] */
export const feeTable = (text: string): Table<FeeRow> =>
  tableOf(text, ['kind', 'percent', 'fixed_minor', 'currency'], feeRow)

/** What a line says, or what is wrong with it. */
type Read<Row> = (fields: CsvLine['fields']) => Row | string

function tableOf<Row extends TaxRow | FeeRow>(
  text: string,
  header: readonly string[],
  read: Read<Row>,
): Table<Row> {
  const lines = csvLines(text, header)
  if (typeof lines === 'string') return { problem: lines }
  if (lines.length > linesMax) return { problem: `A table has at most ${linesMax} lines.` }
  const firsts = new Map<string, number>()
  const rows: Row[] = []
  for (const { number, fields } of lines) {
    const row = read(fields)
    if (typeof row === 'string') return { problem: `Line ${number}: ${row}` }
    const subject = subjectOf(row)
    const first = firsts.get(subject)
    if (first !== undefined) {
      return { problem: `Line ${number} is about the same as line ${first}.` }
    }
    firsts.set(subject, number)
    rows.push(row)
  }
  return rows
}

const subjectOf = (row: TaxRow | FeeRow): string =>
  'kind' in row
    ? JSON.stringify([row.kind, row.currency])
    : JSON.stringify([row.country, row.region, row.category])

function taxRow(fields: CsvLine['fields']): TaxRow | string {
  const country = oneOrNone(countryCodes, fields['country']?.toUpperCase())
  if (country === null) return 'country must be a code of ISO 3166, of two letters.'
  const category = oneOrNone(taxCategories, fields['category'])
  if (category === null && !isEmpty(fields['category'])) {
    return `category must be empty or one of ${taxCategories.join(', ')}.`
  }
  const rate = percentage(fields['rate_percent'], 4)
  if (rate === null) return 'rate_percent must be a decimal from 0 to 100 with at most 4 decimals.'
  const region = fields['region'] ?? ''
  if (region.length > regionMax) return `region must not be longer than ${regionMax} characters.`
  return { country, region: isEmpty(region) ? null : regionInCapitals(region), category, rate }
}

function feeRow(fields: CsvLine['fields']): FeeRow | string {
  const kind = oneOrNone(feeKinds, fields['kind'])
  if (kind === null) return `kind must be one of ${feeKinds.join(', ')}.`
  const basisPoints = percentage(fields['percent'], 2)
  if (basisPoints === null)
    return 'percent must be a decimal from 0 to 100 with at most 2 decimals.'
  const currency = oneOrNone(currencies, fields['currency']?.toUpperCase())
  if (currency === null && !isEmpty(fields['currency'])) return 'currency must be empty or a code.'
  const fixed = fields['fixed_minor'] ?? ''
  if (!/^\d{1,9}$/.test(fixed)) return 'fixed_minor must be a whole number of smallest units.'
  if (Number(fixed) > 0 && currency === null) return 'fixed_minor must be 0 without a currency.'
  return { kind, currency, basisPoints, fixed: Number(fixed) }
}

const regionMax = 100

const isEmpty = (text: string | undefined): boolean => text === undefined || text === ''

const oneOrNone = <T extends string>(values: readonly T[], text: string | undefined): T | null =>
  values.find((value) => value === text) ?? null

/** A percentage as a count of its last decimals: with 4, 19 % is 190 000. */
function percentage(text: string | undefined, decimals: number): number | null {
  const read = /^\d{1,3}(\.\d{1,10})?$/.test(text ?? '') ? parseDecimal(text ?? '', decimals) : null
  return read === null || Number(read) > 100 * 10 ** decimals ? null : Number(read)
}
