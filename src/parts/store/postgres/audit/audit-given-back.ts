import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

/**
 * Payments of which refunds and disputes take more than was paid, or more of the charge than was
 * charged. Refunds on their way count as given; disputes that were won or cancelled do not.
 * [refunds#what-is-left]
 */
export const overGiven = (businessId: string | null): Statement => sql`
  select business_id, payment_id as id, format(
    'refunds and disputes take %s of payment %s, and %s of its charge; it paid %s, and charged %s',
    taken, payment_id, of_charge, total_amount, charged) as what
  from (
    select business_id, payment_id, sum(amount) as taken, sum(charge) as of_charge
    from (
      select business_id, payment_id, r.amount,
        case when status = 'succeeded' then r.amount - coalesce(w.amount, 0) else 0 end as charge
      from refunds r
      left join (
        select business_id, mode, reference_id as refund_id, amount
        from wallet_entries where event_type = 'refund') w using (business_id, mode, refund_id)
      where status <> 'failed'
      union all
      select business_id, payment_id, amount, amount
      from disputes where status not in ('dispute_won', 'dispute_cancelled')) one
    where ${businessId}::text is null or business_id = ${businessId}
    group by business_id, payment_id) back
  join (
    select business_id, payment_id, total_amount,
      total_amount - coalesce((document ->> 'fromWallet')::bigint, 0) as charged
    from payments) p using (business_id, payment_id)
  where taken > total_amount or of_charge > charged`
