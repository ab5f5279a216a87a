import type {
  Wallet,
  WalletCurrency,
  WalletEntry,
} from '../../../../rules/commerce/wallets/wallet.ts'
import type { CustomerKey, Page } from '../../scope.ts'
import type { Wallets } from '../../wallets.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import type { WalletEntryRow, WalletRow } from './wallet-rows.ts'
import { walletColumns, walletEntryColumns, walletEntryOf, walletOf } from './wallet-rows.ts'

export function wallets(db: Db): Wallets {
  return { list, entries, keyed }

  async function list(customer: CustomerKey): Promise<readonly Wallet[]> {
    const rows = await db.query<WalletRow>(sql`
      select ${walletColumns} from wallets where ${ofCustomer(customer)} order by currency desc`)
    return rows.map(walletOf)
  }

  async function entries(
    customer: CustomerKey,
    currency: WalletCurrency | null,
    page: Page,
  ): Promise<readonly WalletEntry[]> {
    const rows = await db.query<WalletEntryRow>(sql`
      select ${walletEntryColumns} from wallet_entries
      where ${ofCustomer(customer)} and (${currency}::text is null or currency = ${currency})
      order by created_at desc, number desc, currency
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(walletEntryOf)
  }

  async function keyed(customer: CustomerKey, idempotencyKey: string): Promise<WalletEntry | null> {
    const [row] = await db.query<WalletEntryRow>(sql`
      select ${walletEntryColumns} from wallet_entries
      where ${ofCustomer(customer)} and idempotency_key = ${idempotencyKey}`)
    return row === undefined ? null : walletEntryOf(row)
  }
}

const ofCustomer = ({ businessId, mode, customerId }: CustomerKey): Statement =>
  sql`business_id = ${businessId} and mode = ${mode} and customer_id = ${customerId}`
