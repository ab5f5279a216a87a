import type { ChainedEntry, EntryTotal } from '../../../../rules/commerce/balances/balance-entry.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { BalanceFilter, Balances, EntrySpan } from '../../balances.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { BalanceEntryRow } from './balance-rows.ts'
import { balanceEntryColumns, balanceEntryOf } from './balance-rows.ts'
import { newestFirst } from './newest-first.ts'

export function balances(db: Db): Balances {
  return { entries, find, newest, between, totals }

  async function entries(
    scope: Scope,
    filter: BalanceFilter,
    page: Page,
  ): Promise<readonly ChainedEntry[]> {
    const equal = [
      [sql`currency`, filter.currency],
      [sql`event_type`, filter.eventType],
      [sql`reference_id`, filter.referenceId],
    ] as const
    const columns = balanceEntryColumns
    const [table, order] = [sql`balance_entries`, sql`currency desc, number desc`]
    const rows = await db.query<BalanceEntryRow>(
      newestFirst({ columns, table, order, scope, equal, filter, page }),
    )
    return rows.map(balanceEntryOf)
  }

  async function find(entryId: string) {
    const [row] = await db.query<BalanceEntryRow & { business_id: string; mode: Mode }>(sql`
      select business_id, mode, ${balanceEntryColumns} from balance_entries
      where entry_id = ${entryId}`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode: row.mode, entry: balanceEntryOf(row) }
  }

  async function newest(
    { businessId, mode }: Scope,
    currency: Currency,
  ): Promise<ChainedEntry | null> {
    const [row] = await db.query<BalanceEntryRow>(sql`
      select ${balanceEntryColumns} from balance_entries
      where business_id = ${businessId} and mode = ${mode} and currency = ${currency}
      order by number desc limit 1`)
    return row === undefined ? null : balanceEntryOf(row)
  }

  async function between(
    { businessId, mode }: Scope,
    { currency, from, to }: EntrySpan,
    page: Page,
  ): Promise<readonly ChainedEntry[]> {
    const first = from + page.offset
    const rows = await db.query<BalanceEntryRow>(sql`
      select ${balanceEntryColumns} from balance_entries
      where business_id = ${businessId} and mode = ${mode} and currency = ${currency}
        and number between ${first} and ${Math.min(to, first + page.limit - 1)}
      order by number`)
    return rows.map(balanceEntryOf)
  }

  async function totals(
    { businessId, mode }: Scope,
    { currency, from, to }: EntrySpan,
  ): Promise<readonly EntryTotal[]> {
    const rows = await db.query<Pick<BalanceEntryRow, 'event_type'> & { total: number }>(sql`
      select event_type, sum(case when is_credit then amount else -amount end)::bigint as total
      from balance_entries
      where business_id = ${businessId} and mode = ${mode} and currency = ${currency}
        and number between ${from} and ${to}
      group by event_type
      order by min(number)`)
    return rows.map((row) => ({ eventType: row.event_type, total: row.total }))
  }
}
