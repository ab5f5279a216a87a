import { afterAll } from 'vitest'
import type { StoreDriver } from '../contracts/accounts.ts'
import { testAccounts } from '../contracts/accounts.ts'
import { testBoughtRows } from '../contracts/bought-rows.ts'
import { testCatalogMoves } from '../contracts/catalog-moves.ts'
import { testChanges } from '../contracts/changes.ts'
import { testChangesAtOnce } from '../contracts/changes-at-once.ts'
import { testDiscountUses } from '../contracts/discount-uses.ts'
import { testDueAccounts } from '../contracts/due-accounts.ts'
import { testLedger } from '../contracts/ledger.ts'
import { testLostCommits } from '../contracts/lost-commits.ts'
import { testMeasuredUsage } from '../contracts/measured-usage.ts'
import { testMeasuring } from '../contracts/measuring.ts'
import { testRows } from '../contracts/rows.ts'
import { testWallets } from '../contracts/wallets.ts'
import { testWrongClocks } from '../contracts/wrong-clocks.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import type { TestPostgres } from '../support/servers/postgres.ts'
import { postgresMissing, startPostgres } from '../support/servers/postgres.ts'
import { scratchStore } from '../support/store/scratch-store.ts'

/** Another server, such as the oldest supported version; the embedded one always runs. */
const other = process.env['TEST_POSTGRES_URL']
const missing =
  other === undefined && postgresMissing !== null
    ? `${postgresMissing}, or TEST_POSTGRES_URL to a server`
    : null

let started: Promise<TestPostgres> | null = null

async function serverUrl(): Promise<string> {
  if (other !== undefined) return other
  started ??= startPostgres()
  return (await started).url
}

afterAll(async () => {
  await (await started)?.stop()
})

testStore({ name: 'the embedded PostgreSQL', open: () => scratchStore() })

describeWith(missing, 'the store of another PostgreSQL', () => {
  testStore({ name: 'it', open: async () => scratchStore(await serverUrl()) })
})

function testStore(driver: StoreDriver): void {
  testAccounts(driver)
  testChanges(driver)
  testChangesAtOnce(driver)
  testRows(driver)
  testBoughtRows(driver)
  testDiscountUses(driver)
  testWallets(driver)
  testCatalogMoves(driver)
  testDueAccounts(driver)
  testMeasuring(driver)
  testMeasuredUsage(driver)
  testWrongClocks(driver)
  testLedger(driver)
  testLostCommits(driver)
}
