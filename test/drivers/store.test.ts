import { test } from 'vitest'
import type { StoreDriver } from '../contracts/accounts.ts'
import { testAccounts } from '../contracts/accounts.ts'
import { testDueAccounts } from '../contracts/due-accounts.ts'
import { testLedger } from '../contracts/ledger.ts'
import { testMeasuredUsage } from '../contracts/measured-usage.ts'
import { testMeasuring } from '../contracts/measuring.ts'
import { scratchStore } from '../support/store.ts'

/** Another server, such as the oldest supported one; the embedded one always runs. */
const other = process.env['TEST_POSTGRES_URL']

const drivers: readonly StoreDriver[] = [
  { name: 'the embedded PostgreSQL', open: () => scratchStore() },
  ...(other === undefined
    ? []
    : [{ name: 'the PostgreSQL of TEST_POSTGRES_URL', open: () => scratchStore(other) }]),
]

for (const driver of drivers) {
  testAccounts(driver)
  testDueAccounts(driver)
  testMeasuring(driver)
  testMeasuredUsage(driver)
  testLedger(driver)
}

if (other === undefined) {
  test.skip('another PostgreSQL: set TEST_POSTGRES_URL to a server of version 15 or later', noop)
}

function noop(): void {
  // Only its name is of use: it says what was skipped.
}
