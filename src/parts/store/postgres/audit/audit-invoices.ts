import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * What does not add up in papers: numbers with gaps, counters that are elsewhere than the last
 * number, papers of nothing that succeeded, lines that nothing backs, and credit notes that name
 * another invoice than that of their payment. [invoices#numbers]
 */
export const invoicesBent = (businessId: string | null): Statement => sql`
  with own as (
    select *, (paper ->> 'total')::bigint as total, (paper ->> 'tax')::bigint as tax,
      row_number() over (partition by business_id, mode, kind order by number) as place
    from invoices where ${businessId}::text is null or business_id = ${businessId}
  )
  select business_id, id, what from (
    ${brokenNumbers(businessId)} union all ${strayPapers} union all ${strayLines}
    union all ${strayCredits} union all ${strayParts} union all ${missingPapers(businessId)}) found
  order by business_id, id, what limit ${rowsMax}`

const brokenNumbers = (businessId: string | null): Statement => sql`
  select business_id, subject_id as id,
    format('it has number %s of %s papers, and should have %s', number, kind, place) as what
  from own where number <> place
  union all
  select business_id, business_id, format('its counter of %s papers is at %s, but the last is %s',
    kind, coalesce(c.last_number, 0), coalesce(last.number, 0))
  from (
    select * from invoice_counters where ${businessId}::text is null or business_id = ${businessId}
  ) c
  full join (
    select business_id, mode, kind, max(number) as number from own
    group by business_id, mode, kind) last using (business_id, mode, kind)
  where coalesce(c.last_number, 0) <> coalesce(last.number, 0)`

/** What papers are about, as the books have it. */
const subjects = sql`
  select 'payment' as kind, payment_id as subject_id, business_id, mode, currency, status, tax,
    total_amount as total, (
      select coalesce(jsonb_agg(jsonb_build_array(line -> 'amount', line -> 'tax')), '[]')
      from jsonb_array_elements(document -> 'lines') line) as lines
  from payments
  union all
  select 'refund', refund_id, business_id, mode, currency, status, tax, amount, (
      select coalesce(jsonb_agg(jsonb_build_array(
        (line ->> 'amount')::bigint - (line ->> 'tax')::bigint, line -> 'tax')), '[]')
      from jsonb_array_elements(lines) line)
  from refunds
  union all
  select 'payout', payout_id, business_id, mode, currency, status, 0, amount,
    jsonb_build_array(jsonb_build_array(amount, 0))
  from payouts`

const strayPapers = sql`
  select own.business_id, subject_id, case
      when s.status is null then format('there is no such %s', kind)
      when s.status not in ('succeeded', 'success') then format('its %s is %s', kind, s.status)
      else format('it says %s with %s of tax in %s, but its %s is %s with %s in %s', own.total,
        own.tax, own.paper ->> 'currency', kind, s.total, s.tax, s.currency)
    end
  from own left join (${subjects}) s using (kind, subject_id)
  where s.status is null or s.status not in ('succeeded', 'success')
    or (own.total, own.tax, own.paper ->> 'currency', own.business_id, own.mode) is distinct from
      (s.total, s.tax, s.currency, s.business_id, s.mode)`

/** Lines of which no more says what they cost: each is one of what it is about, and none lacks. */
const strayLines = sql`
  select own.business_id, subject_id, format('its lines are %s, but those of its %s are %s',
    stand.lines, kind, s.lines)
  from own join (${subjects}) s using (kind, subject_id)
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_array(line -> 'amount', line -> 'tax')), '[]') as lines
    from jsonb_array_elements(own.paper -> 'lines') line) stand
  where stand.lines <> s.lines`

/** A payment of before there were invoices may have got its own after its credit note. */
const strayCredits = sql`
  select own.business_id, own.subject_id, format('it takes back %s, but that of its payment is %s',
    own.paper #>> '{credited,invoiceId}',
    coalesce('INV-' || case when i.number < 1000000 then lpad(i.number::text, 6, '0')
      else i.number::text end, 'none'))
  from own
  join refunds r on own.kind = 'refund' and r.refund_id = own.subject_id
  left join invoices i on i.kind = 'payment' and i.subject_id = r.payment_id
  where own.paper #>> '{credited,invoiceId}' is not null
    and own.paper #>> '{credited,invoiceId}' is distinct from
      'INV-' || case when i.number < 1000000 then lpad(i.number::text, 6, '0')
        else i.number::text end`

/** What a paper says beside its total: whom it is about, what a wallet paid, what was paid out. */
const strayParts = sql`
  select own.business_id, own.subject_id, case
      when paper ->> 'paymentId' is distinct from coalesce(r.payment_id, own.subject_id)
        then format('it names payment %s', coalesce(paper ->> 'paymentId', 'none'))
      when own.kind = 'payment' and (paper ->> 'fromWallet')::bigint is distinct from
        coalesce((p.document ->> 'fromWallet')::bigint, 0)
        then format('it says that a wallet paid %s, but it paid %s',
          coalesce(paper ->> 'fromWallet', 'nothing'), coalesce(p.document ->> 'fromWallet', '0'))
      else 'it says other sums of what was paid out than the ledger'
    end
  from own
  left join refunds r on own.kind = 'refund' and r.refund_id = own.subject_id
  left join payments p on own.kind = 'payment' and p.payment_id = own.subject_id
  left join payouts o on own.kind = 'payout' and o.payout_id = own.subject_id
  cross join lateral (
    select coalesce(jsonb_object_agg(event_type, total), '{}') as sums
    from (
      select event_type, sum(case when is_credit then amount else -amount end) as total
      from balance_entries e
      where (e.business_id, e.mode, e.currency) = (o.business_id, o.mode, o.currency)
        and e.number between o.from_entry and o.to_entry
      group by event_type) booked) ledger
  cross join lateral (
    select coalesce(jsonb_object_agg(part ->> 'eventType', part -> 'total'), '{}') as sums
    from jsonb_array_elements(coalesce(paper -> 'paidOut', '[]')) part) said
  where paper ->> 'paymentId' is distinct from coalesce(r.payment_id, own.subject_id)
    or (own.kind = 'payment' and (paper ->> 'fromWallet')::bigint is distinct from
      coalesce((p.document ->> 'fromWallet')::bigint, 0))
    or (own.kind = 'payout' and ledger.sums <> said.sums)`

/** A business of before there were invoices may have payments without one. */
const missingPapers = (businessId: string | null): Statement => sql`
  select business_id, subject_id, format('this %s has succeeded, but has no invoice', kind)
  from (
    select business_id, 'payment' as kind, payment_id as subject_id
    from payments where status = 'succeeded'
    union all
    select business_id, 'refund', refund_id from refunds where status = 'succeeded') s
  join businesses b using (business_id)
  where (${businessId}::text is null or business_id = ${businessId})
    and b.created_at >= (select applied_at from migrations where number = 17)
    and not exists (
      select from invoices i where (i.kind, i.subject_id) = (s.kind, s.subject_id))`
