import { importCharges } from '../operations/charges/import-charges.ts'
import { plural } from '../std/plural.ts'
import { feeTable } from '../wire/charge-tables.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'
import { readText } from './text-file.ts'

export const feesImport: Command = {
  name: 'fees import',
  usage: 'FILE --business ID',
  summary: 'sets the fees of a business, from a CSV: kind,percent,fixed_minor,currency',
  options: { business: { type: 'string' } },
  positionals: ['FILE'],

  async run(input) {
    const businessId = input.required('business')
    const rows = feeTable(await readText(input.positional('FILE')))
    if ('problem' in rows) throw new Error(rows.problem)
    const table = { noun: 'fee_table', expected: null, row: { businessId, rows } } as const
    await withStore(input, (ports) => importCharges(ports, table))
    const lines = [`${businessId} now has ${plural(rows.length, 'rate')} of fees.`]
    input.answer({ business_id: businessId, rates: rows.length }, lines)
    return 0
  },
}
