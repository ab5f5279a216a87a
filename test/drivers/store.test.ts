import { describe, test } from 'vitest'
import type { StoreDriver } from '../contracts/accounts.ts'
import { testAccounts } from '../contracts/accounts.ts'
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
  testMeasuring(driver)
}

describe.skipIf(other !== undefined)('another PostgreSQL', () => {
  test.skip('TEST_POSTGRES_URL is not set: name a server of version 15 or later', () => undefined)
})
