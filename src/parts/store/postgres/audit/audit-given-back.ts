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

/**
 * Payments and refunds that say something else of what went back than the refunds and disputes do.
 * Of disputes that opened in one moment, the payment may say the status of any.
 * [refunds#what-is-left, refunds#disputes]
 */
export const saidOtherwise = (businessId: string | null): Statement => sql`
  select business_id, payment_id as id, format('payment %s says that it is refunded: %s, and is: %s',
    payment_id, coalesce(refund_status, 'not'), coalesce(backed, 'not')) as what
  from (
    select business_id, payment_id, refund_status, case when back.amount is null then null
        when back.amount >= total_amount then 'full' else 'partial' end as backed
    from payments
    left join (
      select business_id, mode, payment_id, sum(amount) as amount
      from refunds where status = 'succeeded'
      group by business_id, mode, payment_id) back using (business_id, mode, payment_id)
    where ${businessId}::text is null or business_id = ${businessId}) said
  where refund_status is distinct from backed
  union all
  select business_id, payment_id, format('payment %s says that its dispute is %s, and it is %s',
    payment_id, coalesce(dispute_status, 'none'), coalesce(array_to_string(last, ', '), 'none'))
  from payments
  left join (
    select business_id, mode, payment_id, array_agg(status) as last
    from disputes d
    where created_at = (
      select max(created_at) from disputes o
      where (o.business_id, o.mode, o.payment_id) = (d.business_id, d.mode, d.payment_id))
    group by business_id, mode, payment_id) opened using (business_id, mode, payment_id)
  where (${businessId}::text is null or business_id = ${businessId})
    and ((dispute_status is null) <> (last is null) or dispute_status <> all(last))
  union all
  select business_id, refund_id, format('refund %s gives back %s of %s, and says that it is %s',
    refund_id, r.amount, p.total_amount, case when is_partial then 'a part' else 'all' end)
  from refunds r join payments p using (business_id, mode, payment_id)
  where (${businessId}::text is null or business_id = ${businessId})
    and is_partial <> (r.amount < p.total_amount)`
