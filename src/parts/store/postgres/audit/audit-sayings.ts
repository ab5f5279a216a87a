import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * Rows of money that say something else of each other than what they are: papers of another buyer
 * than their payment's, credit notes of other parties than their invoice, sessions of other
 * payments, payments whose lines do not add up to them, license keys and grants with words that
 * cannot be theirs. [invoices#what-stands-on-it, payments#one-way-to-be-paid]
 */
export const sayingsBent = (businessId: string | null): Statement => sql`
  select business_id, id, what from (
    ${papersOfOthers} union all ${notesOfOthers} union all ${sessionsOfOthers}
    union all ${sums} union all ${purposes} union all ${words}) found
  where ${businessId}::text is null or business_id = ${businessId}
  order by business_id, id, what limit ${rowsMax}`

/** An invoice keeps what its payment said when it succeeded, and none of that moves afterwards. */
const papersOfOthers = sql`
  select business_id, payment_id as id, format('its invoice says other %s than it', said.what) as what
  from payments p
  join invoices i using (business_id, mode)
  cross join lateral (
    values
      ('addresses', paper #> '{buyer,billing}', billing),
      ('companies', paper #> '{buyer,businessName}', document -> 'customerBusinessName'),
      ('tax numbers', paper #> '{buyer,taxId}', document -> 'taxId'),
      ('cards', paper -> 'card', case
        when jsonb_typeof(document -> 'card') = 'object' then jsonb_build_object(
          'network', document #> '{card,network}', 'lastFour', document #> '{card,lastFour}')
        else document -> 'card' end),
      ('discounts', paper -> 'discounts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'code', each #> '{discount,code}', 'amount', each -> 'deduction')), '[]')
        from jsonb_array_elements(case jsonb_typeof(document -> 'discounts')
          when 'array' then document -> 'discounts' else '[]' end) each))
  ) said (what, on_paper, of_payment)
  where i.kind = 'payment' and i.subject_id = p.payment_id
    and on_paper is distinct from of_payment
  union all
  select business_id, subject_id, 'its paper says that its buyer owes the tax, but there is a tax'
  from invoices
  where paper -> 'isReverseCharged' not in ('true', 'false')
    or (paper -> 'isReverseCharged' = 'true'
      and (paper -> 'tax' <> '0' and kind = 'payment' or paper #>> '{buyer,taxId}' is null))`

/** A payment of before there were invoices may have got its own after its credit note. */
const notesOfOthers = sql`
  select note.business_id, note.subject_id,
    format('its credit note has another %s than the invoice of its payment', said.what)
  from invoices note
  join refunds r on r.refund_id = note.subject_id
  join invoices i on i.kind = 'payment' and i.subject_id = r.payment_id
  cross join lateral (
    values ('seller', 'seller'), ('buyer', 'buyer'), ('language', 'language'), ('card', 'card'),
      ('word on who owes the tax', 'isReverseCharged')
  ) said (what, key)
  where note.kind = 'refund' and note.paper #>> '{credited,invoiceId}' is not null
    and note.paper -> key is distinct from i.paper -> key
  union all
  select note.business_id, note.subject_id, 'its credit note does not say what it takes back'
  from invoices note
  where note.kind = 'refund' and (jsonb_typeof(paper -> 'credited') is distinct from 'object')`

/** Whom a session is for, and what it sells or settles, is asked for once, and stays. */
const sessionsOfOthers = sql`
  select s.business_id, s.session_id, format('it is about other %s than its payment', said.what)
  from checkout_sessions s
  join payments p using (business_id, mode, session_id, payment_id)
  cross join lateral (
    values
      ('products', case when jsonb_typeof(request -> 'products') is distinct from 'array' then 'none'
        when request -> 'products' = '[]' or jsonb_typeof(request -> 'settles') = 'object' then null
        else (
          select string_agg(each ->> 'productId', ', ' order by nth)
          from jsonb_array_elements(request -> 'products') with ordinality given (each, nth)) end,
        array_to_string(product_ids, ', ')),
      ('customers', request #>> '{customer,id}', customer_id),
      ('subscriptions', request #>> '{settles,subscriptionId}', subscription_id)
  ) said (what, asked, paid)
  where asked is distinct from paid and asked is not null
  union all
  select s.business_id, s.session_id, case
      when p.payment_id is null then format('there is no payment %s of it', s.payment_id)
      when p.status <> 'succeeded' and s.completed_at is not null
        then format('it is completed, but its payment %s is %s', p.payment_id, p.status)
      else format('it leads to payment %s, but others of it came later', s.payment_id)
    end
  from checkout_sessions s
  left join payments p using (business_id, mode, session_id, payment_id)
  where s.payment_id is not null and (p.payment_id is null
    or (s.completed_at is not null and p.status <> 'succeeded')
    or exists (
      select from payments later
      where later.session_id = s.session_id and later.created_at > p.created_at + interval '1 h'))
  union all
  select s.business_id, s.session_id, 'it is completed, but nobody has paid it'
  from checkout_sessions s where completed_at is not null and payment_id is null
  union all
  select p.business_id, p.payment_id, case
      when s.session_id is null then format('there is no session %s', p.session_id)
      when s.payment_id is null then format('its session %s knows of no payment', p.session_id)
      else format('it has paid its session %s, which is not completed', p.session_id)
    end
  from payments p left join checkout_sessions s using (business_id, mode, session_id)
  where p.session_id is not null and (s.session_id is null or s.payment_id is null
    or (p.status = 'succeeded' and s.completed_at is null
      and coalesce(p.document ->> 'purpose', 'purchase') = 'purchase'))`

/** What a payment and a refund cost is what their lines cost. */
const sums = sql`
  select business_id, payment_id, format('its lines are %s with %s of tax, and it is %s with %s',
    of_lines.amount, of_lines.tax, total_amount, p.tax)
  from payments p
  cross join lateral (
    select coalesce(sum((line ->> 'amount')::bigint + (line ->> 'tax')::bigint), 0) as amount,
      coalesce(sum((line ->> 'tax')::bigint), 0) as tax
    from jsonb_array_elements(document -> 'lines') line) of_lines
  where (of_lines.amount, of_lines.tax) <> (total_amount, p.tax)
  union all
  select business_id, refund_id, format('its lines are %s with %s of tax, and it is %s with %s',
    of_lines.amount, of_lines.tax, r.amount, r.tax)
  from refunds r
  cross join lateral (
    select coalesce(sum((line ->> 'amount')::bigint), 0) as amount,
      coalesce(sum((line ->> 'tax')::bigint), 0) as tax
    from jsonb_array_elements(lines) line) of_lines
  where (of_lines.amount, of_lines.tax) <> (r.amount, r.tax)`

/** What a payment says of what it is for, of its failure, and of the codes that it uses up. */
const purposes = sql`
  select business_id, payment_id, case
      when purpose not in ('purchase', 'renewal', 'plan_change', 'settlement', 'charge',
        'method_update') then format('it is for %s, which nothing is for', purpose)
      when subscription_id is null then format('it is a %s of no subscription', purpose)
      else format('it says that it is of %s, and of %s', array_to_string(product_ids, ', '),
        products)
    end
  from (
    select *, coalesce(document ->> 'purpose', 'purchase') as purpose, (
        select coalesce(string_agg(each ->> 'productId', ', ' order by nth), '')
        from jsonb_array_elements(case jsonb_typeof(document -> 'products')
          when 'array' then document -> 'products' else '[]' end)
          with ordinality given (each, nth)) as products
    from payments) p
  where purpose not in ('purchase', 'renewal', 'plan_change', 'settlement', 'charge',
      'method_update')
    or products <> array_to_string(product_ids, ', ')
    or (subscription_id is null and (purpose in ('renewal', 'plan_change', 'charge')
      or (status = 'succeeded' and jsonb_typeof(document -> 'agreed') = 'object')))
  union all
  select business_id, payment_id, format('it is %s, and fails with %s', status,
    coalesce(document ->> 'errorCode', 'no code'))
  from payments where (status = 'failed') <> (document ->> 'errorCode' is not null)
    or (status <> 'failed' and document ->> 'errorMessage' is not null)
  union all
  select business_id, payment_id, format('it is %s, and says that it uses up codes: %s; it uses %s',
    status, document ->> 'holdsUses', uses)
  from payments p
  cross join lateral (
    select count(*) as uses from discount_uses u
    where (u.business_id, u.mode, u.used_for) = (p.business_id, p.mode, p.payment_id)) used
  where document ? 'holdsUses' and jsonb_typeof(document -> 'discounts') = 'array'
    and uses <> case when document -> 'holdsUses' = 'true' and status not in ('failed', 'cancelled')
      then jsonb_array_length(document -> 'discounts') else 0 end`

/** Words that a row cannot have, or cannot have beside its others. */
const words = sql`
  select business_id, dispute_id, case
      when stage not in ('pre_dispute', 'dispute', 'pre_arbitration')
        then format('its stage is %s, which is none', stage)
      else format('it was given back at once, but is %s', status)
    end
  from disputes
  where stage not in ('pre_dispute', 'dispute', 'pre_arbitration')
    or (resolved_rapidly and status <> 'dispute_lost')
  union all
  select k.business_id, license_key_id, case
      when source not in ('auto', 'import', 'manual')
        then format('it comes from %s, which is nowhere', source)
      when k.subscription_id is not null and k.expires_at is not null
        then 'it has an expiry, but ends with its subscription'
      when p.payment_id is not null and k.brand_id <> p.brand_id
        then format('its brand is %s, and that of its payment %s', k.brand_id, p.brand_id)
      when g.grant_id is not null and k.brand_id <> g.brand_id
        then format('its brand is %s, and that of its grant %s', k.brand_id, g.brand_id)
      when k.subscription_id is null
        then format('it is of no subscription, but of the product that %s is of', p.subscription_id)
      else format('it comes from %s, with payment %s and grant %s', source,
        coalesce(k.payment_id, 'none'), coalesce(k.grant_id, 'none'))
    end
  from license_keys k
  left join payments p using (business_id, mode, payment_id)
  left join entitlement_grants g using (grant_id)
  left join subscriptions s on (s.business_id, s.mode, s.subscription_id) =
    (p.business_id, p.mode, p.subscription_id)
  where source not in ('auto', 'import', 'manual')
    or (source = 'import') <>
      (k.payment_id is null and k.subscription_id is null and k.grant_id is null)
    or (source = 'manual' and k.grant_id is null)
    or (k.subscription_id is not null and k.expires_at is not null)
    or k.brand_id <> p.brand_id or k.brand_id <> g.brand_id
    or (k.subscription_id is null and k.product_id = s.product_id)
  union all
  select business_id, grant_id, format('it is %s, but says %s of a delivery', status,
    concat_ws(', ', error_code, error_message, oauth_url, oauth_expires_at))
  from entitlement_grants
  where (status = 'Revoked' or integration_type in ('feature_flag', 'digital_files', 'license_key'))
    and coalesce(error_code, error_message, oauth_url, oauth_expires_at::text) is not null
  union all
  select business_id, grant_id, format('it is %s, but was delivered at %s and revoked at %s', status,
    coalesce(delivered_at::text, 'no time'), coalesce(revoked_at::text, 'no time'))
  from entitlement_grants
  where (status in ('Pending', 'Failed') and delivered_at is not null)
    or (status <> 'Revoked' and revoked_at is not null)
  union all
  select g.business_id, grant_id, format('its brand is %s, and that of its payment %s', g.brand_id,
    p.brand_id)
  from entitlement_grants g join payments p using (business_id, mode, payment_id)
  where g.brand_id <> p.brand_id
  union all
  select business_id, discount_id, format('it is %s for %s, which is no kind of code', type,
    customer_eligibility)
  from discounts
  where type not in ('percentage', 'flat')
    or customer_eligibility not in ('any', 'first_time', 'existing', 'specific')`
