import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * What does not add up in payouts: those that pay something else than their entries, that leave out
 * entries or pay some twice, and that are not booked behind what they pay. [payouts#payouts]
 */
export const payoutsBent = (businessId: string | null): Statement => sql`
  with own as (
    select *, coalesce(lag(to_entry) over (
      partition by business_id, mode, currency order by to_entry), -1) + 2 as begins
    from payouts where ${businessId}::text is null or business_id = ${businessId}
  ), paid as (
    select payout_id, count(number) as entries, coalesce(sum(moved), 0) as amount,
      -coalesce(sum(moved) filter (where event_type = 'refund'), 0) as refunds,
      -coalesce(sum(moved) filter (where event_type in ('dispute', 'dispute_reversal')), 0)
        as chargebacks
    from own left join (
      select *, case when is_credit then amount else -amount end as moved from balance_entries
    ) e on (e.business_id, e.mode, e.currency) = (own.business_id, own.mode, own.currency)
      and e.number between own.from_entry and own.to_entry
    group by payout_id
  )
  select business_id, payout_id as id, what from (
    select business_id, payout_id, format('it pays %s, but its entries add up to %s',
      own.amount, paid.amount) as what
    from own join paid using (payout_id)
    where own.amount <> paid.amount or paid.entries <> to_entry - from_entry + 1
    union all
    select business_id, payout_id, format('it counts %s of refunds and %s of disputes, not %s and %s',
      own.refunds, own.chargebacks, paid.refunds, paid.chargebacks)
    from own join paid using (payout_id)
    where (own.refunds, own.chargebacks) is distinct from (paid.refunds, paid.chargebacks)
    union all
    select business_id, payout_id, format('it begins with entry %s of its %s ledger, not with %s',
      from_entry, currency, begins)
    from own where from_entry <> begins
    union all
    select business_id, payout_id, format('entry %s of its %s ledger is not its own, or leaves %s',
      to_entry + 1, currency, coalesce(e.balance_after, 0))
    from own left join balance_entries e using (business_id, mode, currency)
    where e.number = to_entry + 1
      and (e.event_type, e.reference_id, e.balance_after) is distinct from
        ('payout', payout_id, 0::bigint)
    union all
    select business_id, payout_id, 'it has succeeded, but has no invoice'
    from own where status = 'success' and not exists (
      select from invoices where kind = 'payout' and subject_id = payout_id)) found
  order by business_id, id, what limit ${rowsMax}`
