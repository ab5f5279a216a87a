import { importCharges } from '../operations/charges/import-charges.ts'
import { plural } from '../std/plural.ts'
import { taxTable } from '../wire/charge-tables.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'
import { readText } from './text-file.ts'

export const taxesImport: Command = {
  name: 'taxes import',
  usage: 'FILE --business ID',
  summary: 'sets the tax rates of a business, from a CSV: country,region,category,rate_percent',
  options: { business: { type: 'string' } },
  positionals: ['FILE'],

  async run(input) {
    const businessId = input.required('business')
    const rows = taxTable(await readText(input.positional('FILE')))
    if ('problem' in rows) throw new Error(rows.problem)
    const table = { noun: 'tax_table', expected: null, row: { businessId, rows } } as const
    await withStore(input, (ports) => importCharges(ports, table))
    const lines = [`${businessId} now has ${plural(rows.length, 'rate')} of taxes.`]
    input.answer({ business_id: businessId, rates: rows.length }, lines)
    return 0
  },
}
