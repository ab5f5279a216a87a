import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import { overGiven, saidOtherwise } from './audit-given-back.ts'

const rowsMax = 5_000

/**
 * What does not add up in the ledgers of businesses' money: links of a chain that do not follow
 * from each other, balances that are not where their entries end, causes without their entry or
 * with another amount, fees without a cause, payments of which more went back than was paid, and
 * what says otherwise.
 * [payouts#ledger]
 */
export const balancesBent = (businessId: string | null): Statement => sql`
  with own as (
    select * from balance_entries
    where ${businessId}::text is null or business_id = ${businessId}
  )
  select business_id, id, what
  from (
    ${brokenLinks} union all ${wrongEnds(businessId)}
    union all ${wrongCauses(businessId)} union all ${strayFees}
    union all ${overGiven(businessId)} union all ${saidOtherwise(businessId)}) found
  order by business_id, id, what limit ${rowsMax}`

const brokenLinks = sql`
  select business_id, entry_id as id, format(
    case
      when number <> place then 'entry %2$s of its %1$s ledger follows a gap'
      when balance_before <> left_before
        then 'entry %2$s of its %1$s ledger begins with %3$s, but the one before it left %4$s'
      when balance_after <> balance_before + moved
        then 'entry %2$s of its %1$s ledger leaves %5$s of %3$s'
      else 'entry %2$s of its %1$s ledger is older than the one before it'
    end, currency, number, balance_before, left_before, balance_after) as what
  from (
    select *, case when is_credit then amount else -amount end as moved,
      row_number() over chain as place,
      coalesce(lag(balance_after) over chain, 0) as left_before,
      lag(created_at) over chain as made_before
    from own
    window chain as (partition by business_id, mode, currency order by number)) chained
  where number <> place or balance_before <> left_before or created_at < made_before
    or balance_after <> balance_before + moved`

const wrongEnds = (businessId: string | null): Statement => sql`
  select business_id, currency, format(
    'its %s ledger holds %s after %s entries, but its entries end at %s with number %s',
    currency, coalesce(b.balance, 0), coalesce(b.entries, 0), coalesce(l.balance_after, 0),
    coalesce(l.number, 0))
  from (
    select * from business_balances
    where ${businessId}::text is null or business_id = ${businessId}) b
  full join (
    select distinct on (business_id, mode, currency) * from own
    order by business_id, mode, currency, number desc) l using (business_id, mode, currency)
  where (coalesce(b.balance, 0), coalesce(b.entries, 0)) is distinct from
    (coalesce(l.balance_after, 0), coalesce(l.number, 0))`

const wrongCauses = (businessId: string | null): Statement => sql`
  select business_id, id, format('its ledger books %s of %s %s as %s, which was %s',
    coalesce(made.amount, 0), currency, event_type, id, coalesce(caused.amount, 0))
  from (
    select business_id, mode, currency, payment_id as id, 'payment' as event_type, charged as amount
    from (
      select *, total_amount - coalesce((document ->> 'fromWallet')::bigint, 0) as charged
      from payments where status = 'succeeded') p
    where charged > 0
    union all
    select business_id, mode, currency, refund_id, 'refund', r.amount - coalesce(w.amount, 0)
    from refunds r
    left join (
      select business_id, mode, currency, reference_id as refund_id, amount
      from wallet_entries where event_type = 'refund') w
      using (business_id, mode, currency, refund_id)
    where status = 'succeeded' and r.amount > coalesce(w.amount, 0)
    union all
    select business_id, mode, currency, dispute_id, 'dispute', amount from disputes
    union all
    select business_id, mode, currency, dispute_id, 'dispute_reversal', amount
    from disputes where status in ('dispute_won', 'dispute_cancelled')
    union all
    select business_id, mode, currency, payout_id, event_type, amount
    from (
      select business_id, mode, currency, payout_id, unnest(array[amount, fee]) as amount,
        unnest(array['payout', 'payout_fees']) as event_type
      from payouts
      union all
      select business_id, mode, currency, payout_id, unnest(array[amount, fee]),
        unnest(array['payout_reversal', 'payout_fees_reversal'])
      from payouts where status = 'failed') paid_out
    where amount > 0) caused
  full join (
    select business_id, mode, currency, reference_id as id, event_type, sum(amount) as amount
    from own where event_type in ('payment', 'refund', 'dispute', 'dispute_reversal', 'payout',
      'payout_fees', 'payout_reversal', 'payout_fees_reversal')
    group by business_id, mode, currency, reference_id, event_type) made
    using (business_id, mode, currency, event_type, id)
  where caused.amount is distinct from made.amount
    and (${businessId}::text is null or business_id = ${businessId})`

const strayFees = sql`
  select business_id, entry_id, format(
    'entry %s of its %s ledger is a fee of nothing that it books', number, currency)
  from own fee
  where event_type like '%\\_fees' and not exists (
    select from own cause
    where cause.reference_id = fee.reference_id
      and cause.event_type || '_fees' = fee.event_type)`
