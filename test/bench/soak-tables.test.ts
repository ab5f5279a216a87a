import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { growing, grownAmong } from '../../bench/macro/soak/tables.ts'

const mebibyte = 1024 * 1024
const sizes = (of: Readonly<Record<string, number>>) =>
  new Map(Object.entries(of).map(([table, mebibytes]) => [table, mebibytes * mebibyte]))

it('a table that only grows is found, also one that nobody has thought of', () => {
  const early = sizes({ ledger_entries: 1, unsettled: 10, leases: 1 })
  const late = sizes({ ledger_entries: 900, unsettled: 12, leases: 1, planted: 5, outbox: 40 })
  expect(grownAmong(early, late)).toEqual(['planted', 'outbox'])
})

it('those that may grow are tables of the store', () => {
  const folder = 'src/parts/store/postgres/schema/migrations'
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const tables = [...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name)
  expect(Object.keys(growing).filter((name) => !tables.includes(name))).toEqual([])
})
