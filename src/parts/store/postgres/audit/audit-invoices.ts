import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * What does not add up in papers: numbers with gaps, counters that are elsewhere than the last
 * number, papers of nothing that succeeded, and lines that nothing backs. [invoices#numbers]
 */
export const invoicesBent = (businessId: string | null): Statement => sql`
  with own as (
    select *, (paper ->> 'total')::bigint as total, (paper ->> 'tax')::bigint as tax,
      row_number() over (partition by business_id, mode, kind order by number) as place
    from invoices where ${businessId}::text is null or business_id = ${businessId}
  )
  select business_id, id, what from (
    ${brokenNumbers(businessId)} union all ${strayPapers} union all ${strayLines}) found
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
  where c.last_number is distinct from last.number and coalesce(c.last_number, 0) > 0`

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
