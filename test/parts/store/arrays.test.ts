import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numberArray, textArray } from '../../../src/parts/store/postgres/connection/arrays.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { runs } from '../../support/run/runs.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

describe('an array', () => {
  let scratch: ScratchDatabase
  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  afterAll(() => scratch.drop())

  const text = fc.oneof(
    fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0')),
    fc.constantFrom('', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', ' a ', ',', "'", '\n'),
  )

  it('of texts is read by the server as what it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
        const [row] = await scratch.db.query<{ read: unknown }>(
          sql`select to_json(${textArray(texts)}::text[]) as read`,
        )
        expect(row?.read).toEqual(texts)
      }),
      runs(100),
    )
  })

  it('of numbers keeps each digit', async () => {
    const whole = [0, -1, null, Number.MAX_SAFE_INTEGER, 1_790_000_000_000_001]
    const exact = ['12345678901234567890.123456789', '-0.000000001', null, '5']
    const [row] = await scratch.db.query<{ whole: unknown; exact: unknown }>(sql`
      select to_json(${numberArray(whole)}::bigint[]) as whole,
        to_json(${numberArray(exact)}::numeric[]::text[]) as exact`)
    expect(row).toEqual({ whole, exact })
  })
})
