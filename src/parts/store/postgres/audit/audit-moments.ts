import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * Rows of money that say another moment than what they follow from: entries and papers of another
 * time than their cause, ends of ledgers of another than their last entry, windows of another
 * length, and what is older than what it comes after. [payouts#ledger]
 */
export const momentsBent = (businessId: string | null): Statement => sql`
  select business_id, id, what from (
    ${bookedAt} union all ${issuedAt} union all ${endedAt} union all ${usedAt}
    union all ${windows} union all ${backwards}) found
  where ${businessId}::text is null or business_id = ${businessId}
  order by business_id, id, what limit ${rowsMax}`

/** When what is booked and put on paper happened; nothing of these moves afterwards. */
const causes = sql`
  select 'payment' as event, business_id, payment_id as id, paid_at as at
  from payments where status = 'succeeded'
  union all
  select 'refund', business_id, refund_id, updated_at from refunds where status = 'succeeded'
  union all
  select 'dispute', business_id, dispute_id, created_at from disputes
  union all
  select 'dispute_reversal', business_id, dispute_id, updated_at
  from disputes where status in ('dispute_won', 'dispute_cancelled')
  union all
  select 'payout', business_id, payout_id, created_at from payouts
  union all
  select 'payout_reversal', business_id, payout_id, updated_at
  from payouts where status = 'failed'
  union all
  select 'payout paper', business_id, payout_id, updated_at
  from payouts where status = 'success'`

/** An entry never comes before the one before it, so that may be the later of the two. */
const bookedAt = sql`
  select business_id, entry_id as id, format(
    'entry %s of its %s ledger is booked at %s, but its %s was at %s',
    number, currency, created_at, event, at) as what
  from (
    select *, replace(event_type, '_fees', '') as event, lag(created_at) over (
      partition by business_id, mode, currency order by number) as made_before
    from balance_entries) e
  join (${causes}) c using (business_id, event)
  where c.id = e.reference_id and created_at <> greatest(at, made_before)`

/** A business of before there were invoices may have payments that got theirs later. */
const issuedAt = sql`
  select i.business_id, subject_id, format('it is issued at %s, but its %s was at %s',
    issued_at, kind, at)
  from invoices i
  join businesses b using (business_id)
  join (${causes}) c on c.id = subject_id and c.business_id = i.business_id
    and c.event = case kind when 'payout' then 'payout paper' else kind end
  where issued_at <> at and b.created_at >= (select applied_at from migrations where number = 17)`

const endedAt = sql`
  select business_id, currency, format(
    'its %s ledger says that it was last booked at %s, but its last entry is of %s',
    currency, b.updated_at, e.created_at)
  from business_balances b join balance_entries e using (business_id, mode, currency)
  where e.number = b.entries and e.created_at <> b.updated_at
  union all
  select business_id, customer_id, format(
    'its %s wallet says that it was made at %s and moved last at %s, but its entries are of %s to %s',
    currency, w.created_at, w.updated_at, first.created_at, last.created_at)
  from wallets w
  join wallet_entries first using (business_id, mode, customer_id, currency)
  join wallet_entries last using (business_id, mode, customer_id, currency)
  where first.number = 1 and last.number = w.entries
    and (w.created_at, w.updated_at) <> (first.created_at, last.created_at)`

const usedAt = sql`
  select u.business_id, discount_id, format('it was used for %s at %s, which is of %s', used_for,
    used_at, p.created_at)
  from discount_uses u
  join payments p on (p.business_id, p.mode, p.payment_id) = (u.business_id, u.mode, u.used_for)
  where used_at <> p.created_at`

/** How long what waits for somebody waits. [refunds#disputes, payments#one-way-to-be-paid] */
const windows = sql`
  select business_id, dispute_id, format('it is to be answered by %s, but was opened at %s',
    answer_by, created_at)
  from disputes where answer_by <> created_at + interval '240 hours'
  union all
  select business_id, session_id, format('it expires at %s, but was made at %s', expires_at,
    created_at)
  from checkout_sessions
  where expires_at <> created_at + case when request -> 'confirmed' = 'true'
    then interval '15 minutes' else interval '24 hours' end`

/**
 * What comes before what it follows. Clocks of two machines differ by less than an hour, so less
 * than that proves nothing.
 */
const backwards = sql`
  select business_id, id, format('%s at %s, but %s at %s', what, at, after_what, after_at)
  from (
    select business_id, payment_id as id, 'it was changed last' as what, updated_at as at,
      'it was made or paid' as after_what, greatest(created_at, paid_at) as after_at
    from payments
    union all
    select p.business_id, p.payment_id, 'it was made', p.created_at, 'its session was made',
      s.created_at
    from payments p join checkout_sessions s using (session_id)
    union all
    select business_id, session_id, 'it was completed', completed_at, 'it was made', created_at
    from checkout_sessions
    union all
    select s.business_id, s.session_id, 'its payment was changed last', p.updated_at,
      'it was completed', s.completed_at
    from checkout_sessions s join payments p using (payment_id)
    union all
    select business_id, refund_id, 'it was changed last', updated_at, 'it was made', created_at
    from refunds
    union all
    select business_id, dispute_id, 'it was changed last', updated_at, 'it was opened', created_at
    from disputes
    union all
    select business_id, dispute_id, 'it expired', updated_at, 'it could be answered until',
      answer_by
    from disputes where status = 'dispute_expired'
    union all
    select business_id, payout_id, 'it was changed last', updated_at, 'it was made', created_at
    from payouts
    union all
    select business_id, discount_id, 'it was changed last', updated_at, 'it was made or deleted',
      greatest(created_at, deleted_at)
    from discounts
    union all
    select business_id, discount_id, 'it was deleted', deleted_at, 'it was made', created_at
    from discounts
    union all
    select u.business_id, discount_id, 'it was used', used_at, 'it was made', d.created_at
    from discount_uses u join discounts d using (business_id, mode, discount_id)
    union all
    select business_id, license_key_id, 'it was changed last', updated_at, 'it was made', created_at
    from license_keys
    union all
    select k.business_id, license_key_id, 'it was made', k.created_at, 'it was paid', p.paid_at
    from license_keys k join payments p using (payment_id)
    union all
    select i.business_id, instance_id, 'it was made', i.created_at, 'its license key was made',
      k.created_at
    from license_key_instances i join license_keys k using (license_key_id)
    union all
    select i.business_id, instance_id, 'its license key was changed last', k.updated_at,
      'it was made', i.created_at
    from license_key_instances i join license_keys k using (license_key_id)
    union all
    select business_id, grant_id, 'it was changed last', updated_at,
      'it was made, delivered or revoked', greatest(created_at, delivered_at, revoked_at)
    from entitlement_grants
    union all
    select business_id, grant_id, 'it was delivered or revoked', least(delivered_at, revoked_at),
      'it was made', created_at
    from entitlement_grants
    union all
    select g.business_id, grant_id, 'it was made', g.created_at, 'it was paid', p.paid_at
    from entitlement_grants g join payments p using (payment_id)) ordered
  where at < after_at - interval '1 hour'`
