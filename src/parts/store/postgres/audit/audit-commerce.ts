import type { AuditCommerce, BentRow } from '../../audit-commerce.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

export function auditCommerce(db: Db): AuditCommerce {
  return { bentWallets, miscounted }

  async function* bentWallets(businessId: string | null): AsyncIterable<BentRow> {
    yield* rows(sql`
      with chained as (
        select *, case when is_credit then amount else -amount end as moved,
          row_number() over chain as place,
          coalesce(lag(balance_after) over chain, 0) as left_before,
          lag(created_at) over chain as made_before
        from wallet_entries
        where ${businessId}::text is null or business_id = ${businessId}
        window chain as (partition by business_id, mode, customer_id, currency order by number)
      ), last as (
        select distinct on (business_id, mode, customer_id, currency) *
        from wallet_entries
        where ${businessId}::text is null or business_id = ${businessId}
        order by business_id, mode, customer_id, currency, number desc
      ), found as (
        select business_id, customer_id as id, format(
          case
            when number <> place then 'entry %2$s of its %1$s wallet follows a gap'
            when balance_before <> left_before
              then 'entry %2$s of its %1$s wallet begins with %3$s, but the one before it left %4$s'
            when amount <= 0 or balance_after < 0 or balance_after <> balance_before + moved
              then 'entry %2$s of its %1$s wallet leaves %5$s of %3$s'
            else 'entry %2$s of its %1$s wallet is older than the one before it'
          end, currency, number, balance_before, left_before, balance_after) as what
        from chained
        where number <> place or balance_before <> left_before or amount <= 0 or balance_after < 0
          or balance_after <> balance_before + moved
          or created_at < made_before
        union all
        select w.business_id, w.customer_id,
          format('its %s wallet holds %s after %s entries, but its entries end at %s with number %s',
            w.currency, w.balance, w.entries, coalesce(l.balance_after, 0), coalesce(l.number, 0))
        from wallets w left join last l using (business_id, mode, customer_id, currency)
        where (${businessId}::text is null or w.business_id = ${businessId})
          and (w.balance, w.entries) is distinct from
            (coalesce(l.balance_after, 0), coalesce(l.number, 0))
      )
      select business_id, id, what from found order by business_id, id, what limit ${rowsMax}`)
  }

  async function* miscounted(businessId: string | null): AsyncIterable<BentRow> {
    yield* rows(sql`
      select d.business_id, d.discount_id as id,
        format('it counts %s uses, but has %s', d.times_used, coalesce(u.uses, 0)) as what
      from discounts d
      left join (
        select business_id, mode, discount_id, count(*) as uses from discount_uses
        where ${businessId}::text is null or business_id = ${businessId}
        group by business_id, mode, discount_id) u using (business_id, mode, discount_id)
      where (${businessId}::text is null or d.business_id = ${businessId})
        and d.times_used <> coalesce(u.uses, 0)
      order by 1, 2 limit ${rowsMax}`)
  }

  async function* rows(statement: Statement): AsyncIterable<BentRow> {
    const found = await db.query<{ business_id: string; id: string; what: string }>(statement)
    for (const { business_id: businessId, id, what } of found) yield { businessId, id, what }
  }
}
