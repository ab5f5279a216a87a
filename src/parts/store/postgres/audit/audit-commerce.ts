import type { AuditCommerce, BentRow } from '../../audit-commerce.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import { balancesBent } from './audit-balances.ts'
import { grantsBent } from './audit-grants.ts'
import { invoicesBent } from './audit-invoices.ts'
import { broughtBent } from './audit-licenses.ts'
import { momentsBent } from './audit-moments.ts'
import { ownersBent } from './audit-owners.ts'
import { payoutsBent } from './audit-payouts.ts'
import { sayingsBent } from './audit-sayings.ts'
import { bentRows } from './bent-rows.ts'

const rowsMax = 5_000

/**
 * Payments whose part from a wallet is not what the wallet's ledger says of them: what was taken
 * for an attempt, and given back where it came to nothing. [resources#wallets]
 */
const wrongParts = (businessId: string | null): Statement => sql`
  select business_id, customer_id, format(
    'its %s wallet has paid %s of payment %s, which says %s of it',
    currency, coalesce(moved.amount, 0), payment_id, coalesce(said.amount, 0))
  from (
    select business_id, mode, customer_id, currency, payment_id,
      case when status in ('failed', 'cancelled') then 0
        else (document ->> 'fromWallet')::bigint end as amount
    from payments where (document ->> 'fromWallet')::bigint > 0) said
  full join (
    select business_id, mode, customer_id, currency, reference_id as payment_id,
      sum(case when is_credit then -amount else amount end) as amount
    from wallet_entries where event_type in ('payment', 'payment_reversal')
    group by 1, 2, 3, 4, 5) moved
    using (business_id, mode, customer_id, currency, payment_id)
  where coalesce(said.amount, 0) <> coalesce(moved.amount, 0)
    and (${businessId}::text is null or business_id = ${businessId})`

export function auditCommerce(db: Db): AuditCommerce {
  const rows = (statement: Statement) => bentRows(db, statement)
  return {
    bentWallets,
    bentBalances: (businessId) => rows(balancesBent(businessId)),
    bentPayouts: (businessId) => rows(payoutsBent(businessId)),
    bentInvoices: (businessId) => rows(invoicesBent(businessId)),
    bentBrought: (businessId) => rows(broughtBent(businessId)),
    bentGrants: (businessId) => rows(grantsBent(businessId)),
    bentOwners: (businessId) => rows(ownersBent(businessId)),
    bentMoments: (businessId) => rows(momentsBent(businessId)),
    bentSayings: (businessId) => rows(sayingsBent(businessId)),
    miscounted,
  }

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
        select business_id, customer_id,
          format('its %s wallet holds %s after %s entries, but its entries end at %s with number %s',
            currency, coalesce(w.balance, 0), coalesce(w.entries, 0),
            coalesce(l.balance_after, 0), coalesce(l.number, 0))
        from (
          select * from wallets
          where ${businessId}::text is null or business_id = ${businessId}) w
        full join last l using (business_id, mode, customer_id, currency)
        where (coalesce(w.balance, 0), coalesce(w.entries, 0)) is distinct from
          (coalesce(l.balance_after, 0), coalesce(l.number, 0))
        union all ${wrongParts(businessId)}
      )
      select business_id, id, what from found order by business_id, id, what limit ${rowsMax}`)
  }

  async function* miscounted(businessId: string | null): AsyncIterable<BentRow> {
    yield* rows(sql`
      select d.business_id, d.discount_id as id,
        case when d.times_used <> coalesce(u.uses, 0)
          then format('it counts %s uses, but has %s', d.times_used, coalesce(u.uses, 0))
          else format('it counts %s held uses, but has %s', d.held, coalesce(u.held, 0))
        end as what
      from discounts d
      left join (
        select business_id, mode, discount_id, count(*) filter (where not held) as uses,
          count(*) filter (where held) as held
        from discount_uses
        where ${businessId}::text is null or business_id = ${businessId}
        group by business_id, mode, discount_id) u using (business_id, mode, discount_id)
      where (${businessId}::text is null or d.business_id = ${businessId})
        and (d.times_used, d.held) <> (coalesce(u.uses, 0), coalesce(u.held, 0))
      order by 1, 2 limit ${rowsMax}`)
  }
}
