import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RowChange } from '../../src/parts/store/changes.ts'
import { rowAlone } from '../../src/parts/store/changes.ts'
import { creditEntitlements } from '../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { meters } from '../../src/parts/store/postgres/catalog/meters.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import {
  deletedEntitlement,
  undeletedEntitlement,
} from '../../src/rules/commerce/catalog/credit-entitlement.ts'
import { archivedMeter, unarchivedMeter } from '../../src/rules/meter/meter.ts'
import { after, second } from '../../src/std/instant.ts'
import { decidedAt as at } from '../support/store/decided.ts'
import { meterRow } from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import type { StoreDriver } from './accounts.ts'

const later = after(at, second)

/**
 * What every store promises of the version that measuring works by.
 * [machines#the-catalogue-while-it-changes]
 */
export function testCatalogMoves(driver: StoreDriver): void {
  describe(`the catalog in ${driver.name} moves`, () => {
    let store: ScratchStore
    let scope: Scope

    beforeAll(async () => {
      store = await driver.open()
    })
    afterAll(() => store.drop())
    beforeEach(async () => {
      scope = await store.business()
    })

    const commit = (row: RowChange) => store.changes.commit(rowAlone(scope, row))

    const version = async () => {
      const [snapshot] = await meters(store.db).catalogOf([scope])
      return snapshot?.catalog.version ?? 0
    }

    test('with every change of a meter', async () => {
      const row = meterRow(store.newId('mtr'), at)
      const archived = archivedMeter(row, { log: later, at: later })
      // The clock was set back in between.
      const back = unarchivedMeter(archived, { log: at, at: later })
      expect(back.archived).toEqual([{ from: later, to: later }])
      const versions = [await version()]
      for (const [expected, next] of [
        [null, row],
        [row, archived],
        [archived, back],
      ] as const) {
        await commit({ noun: 'meter', expected, row: next })
        versions.push(await version())
      }
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
      const kept = await store.db.query<{ version: number; last: boolean }>(sql`
        select version, replaced_at is null as last from meter_versions
        where meter_id = ${row.meterId} order by version`)
      expect(kept.map((each) => each.last)).toEqual([false, false, true])
      expect(kept.map((each) => each.version)).toEqual(versions.slice(1))
    })

    test('with the end of default links, and with their coming back', async () => {
      const id = await store.entitlement(scope)
      const { get, many } = creditEntitlements(store.db)
      const was = await get(scope, id)
      if (was === null) throw new Error('No credit entitlement.')
      const start = await version()
      const links = async () => (await meters(store.db).catalogOf([scope]))[0]?.links.length
      const changing = { noun: 'credit_entitlement', expected: was.updatedAt, over: [] } as const
      const deleted = deletedEntitlement(was, at)
      expect(await commit({ ...changing, row: deleted })).toBe('committed')
      const ended = await version()
      expect(ended).toBeGreaterThan(start)
      expect(await links()).toBe(0)
      expect((await many(scope, [id])).get(id)).toEqual(deleted)
      const row = undeletedEntitlement(deleted, later)
      const expected = deleted.updatedAt
      expect(await commit({ ...changing, expected, row })).toBe('committed')
      expect(await version()).toBeGreaterThan(ended)
      expect(await links()).toBe(1)
      expect(await get(scope, id)).toEqual(row)
    })
  })
}
