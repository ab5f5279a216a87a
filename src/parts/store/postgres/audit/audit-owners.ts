import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * Rows of money that belong to somebody else than what they follow from: payments of nobody,
 * refunds, disputes, grants, keys and uses of codes that name another customer, brand or
 * subscription than their payment, credits of another's subscription, charges of another's card; and payments that do not say
 * when they were paid, by which a refund finds the credits to take back. [payouts#ledger]
 */
export const ownersBent = (businessId: string | null): Statement => sql`
  select business_id, id, what from (
    ${payersAndTimes} union all ${givenBack} union all ${grantsOfOthers} union all ${keysOfOthers}
    union all ${usesOfOthers} union all ${creditsOfOthers}
    union all ${chargesOfOthers}) found
  where ${businessId}::text is null or business_id = ${businessId}
  order by business_id, id, what limit ${rowsMax}`

const payersAndTimes = sql`
  select p.business_id, p.payment_id as id, case
      when c.customer_id is null then format('customer %s is none of its business', p.customer_id)
      when p.subscription_id is not null and s.subscription_id is null
        then format('subscription %s is none of its customer', p.subscription_id)
      when k.request -> 'customer' ->> 'id' <> p.customer_id
        then format('its session %s was made for another customer', p.session_id)
      when p.status = 'succeeded' and p.paid_at is null
        then 'it has succeeded, but does not say when it was paid'
      when p.status <> 'succeeded' then format('it is %s, but says when it was paid', p.status)
      else 'it was paid before it was made, or after its ledger booked it'
    end as what
  from payments p
  left join customers c using (business_id, mode, customer_id)
  left join subscriptions s using (business_id, mode, customer_id, subscription_id)
  left join checkout_sessions k using (business_id, mode, session_id)
  left join balance_entries b
    on b.reference_id = p.payment_id and b.event_type = 'payment' and p.status = 'succeeded'
  where c.customer_id is null
    or (p.subscription_id is not null and s.subscription_id is null)
    or k.request -> 'customer' ->> 'id' <> p.customer_id
    or (p.status = 'succeeded') <> (p.paid_at is not null)
    or p.paid_at < p.created_at or p.paid_at > b.created_at`

const givenBack = sql`
  select back.business_id, id, case
      when p.payment_id is null then format('payment %s is none of its customer', back.payment_id)
      when back.created_at < p.created_at then 'it is older than its payment'
      else format('its brand, subscription and currency are %s, %s and %s; of its payment, %s, %s and %s',
        back.brand_id, coalesce(back.subscription_id, 'none'), back.currency, p.brand_id,
        coalesce(p.subscription_id, 'none'), p.currency)
    end
  from (
    select business_id, mode, refund_id as id, payment_id, customer_id, brand_id, subscription_id,
      currency, created_at
    from refunds
    union all
    select d.business_id, d.mode, dispute_id, payment_id, d.customer_id, d.brand_id,
      p.subscription_id, d.currency, d.created_at
    from disputes d left join payments p using (payment_id)) back
  left join payments p using (business_id, mode, customer_id, payment_id)
  where p.payment_id is null or back.created_at < p.created_at
    or (back.brand_id, back.subscription_id, back.currency) is distinct from
      (p.brand_id, p.subscription_id, p.currency)`

const grantsOfOthers = sql`
  select g.business_id, grant_id, case
      when e.entitlement_id is null
        then format('there is no entitlement %s of kind %s', g.entitlement_id, g.integration_type)
      when g.payment_id is not null and p.payment_id is null
        then format('payment %s is none of its customer', g.payment_id)
      when g.subscription_id is not null and s.subscription_id is null
        then format('subscription %s is none of its customer', g.subscription_id)
      else format('it is %s, was delivered at %s and revoked at %s', g.status,
        coalesce(g.delivered_at::text, 'no time'), coalesce(g.revoked_at::text, 'no time'))
    end
  from entitlement_grants g
  left join product_entitlements e using (business_id, mode, entitlement_id, integration_type)
  left join payments p using (business_id, mode, customer_id, payment_id)
  left join subscriptions s
    on (s.business_id, s.mode, s.customer_id, s.subscription_id) =
      (g.business_id, g.mode, g.customer_id, g.subscription_id)
  where e.entitlement_id is null
    or (g.payment_id is not null and p.payment_id is null)
    or (g.subscription_id is not null and s.subscription_id is null)
    or g.status not in ('Pending', 'Delivered', 'Failed', 'Revoked')
    or (g.status = 'Delivered' and g.delivered_at is null)
    or (g.status = 'Revoked' and g.revoked_at is null)`

const keysOfOthers = sql`
  select business_id, license_key_id, case
      when k.customer_id <> g.customer_id then 'it is none of the customer of its grant'
      when k.product_id <> g.product_id then 'it is for another product than its grant'
      else format('it comes from payment %s and subscription %s, and its grant from %s and %s',
        coalesce(k.payment_id, 'none'), coalesce(k.subscription_id, 'none'),
        coalesce(g.payment_id, 'none'), coalesce(g.subscription_id, 'none'))
    end
  from license_keys k join entitlement_grants g using (business_id, mode, grant_id)
  where (k.customer_id, k.product_id, k.payment_id, k.subscription_id) is distinct from
    (g.customer_id, g.product_id, g.payment_id, g.subscription_id)
  union all
  select i.business_id, instance_id, format('license key %s is none of its business',
    i.license_key_id)
  from license_key_instances i
  left join license_keys k using (business_id, mode, license_key_id)
  where k.license_key_id is null`

/** A plan change that costs nothing uses codes, too, and has no payment. */
const usesOfOthers = sql`
  select u.business_id, u.discount_id, case
      when d.discount_id is null then 'it has uses, but is gone'
      else format('it was used for %s, which is no payment of customer %s', u.used_for,
        u.customer_id)
    end
  from discount_uses u
  left join discounts d using (business_id, mode, discount_id)
  left join payments p on (p.business_id, p.mode, p.customer_id, p.payment_id) =
    (u.business_id, u.mode, u.customer_id, u.used_for)
  where d.discount_id is null or (p.payment_id is null and u.used_for like 'pay\\_%')`

const creditsOfOthers = sql`
  select a.business_id, g.grant_id, format('its subscription %s is none of its customer',
    coalesce(g.source_id, 'of no name'))
  from grants g join accounts a using (account_id)
  left join subscriptions s
    on (s.business_id, s.mode, s.customer_id, s.subscription_id) =
      (a.business_id, a.mode, a.customer_id, g.source_id)
  where g.source_type = 'subscription' and s.subscription_id is null`

/** Subscriptions that would charge somebody else's card, and payments that have. */
const chargesOfOthers = sql`
  select charging.business_id, id, format('payment method %s is none of its customer',
    charging.payment_method_id)
  from (
    select business_id, mode, customer_id, subscription_id as id, payment_method_id
    from subscriptions
    union all
    select business_id, mode, customer_id, payment_id, document ->> 'paymentMethodId'
    from payments) charging
  left join payment_methods m using (business_id, mode, customer_id, payment_method_id)
  where charging.payment_method_id is not null and m.created_at is null`
