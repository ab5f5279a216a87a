import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * Grants that live though nothing pays for them, or are kept back though something does; and
 * license keys that do not follow theirs. One statement, so that it sees one moment.
 */
export const grantsBent = (businessId: string | null): Statement => sql`
  with known as (
    select g.*, p.status as payment_status, p.refund_status, s.status as subscription_status,
      e.config ->> 'fulfillment' as fulfillment,
      (select count(*) from license_keys k where k.grant_id = g.grant_id) as keys
    from entitlement_grants g
    join product_entitlements e using (entitlement_id)
    left join payments p
      on (p.business_id, p.mode, p.payment_id) = (g.business_id, g.mode, g.payment_id)
    left join subscriptions s
      on (s.business_id, s.mode, s.subscription_id) = (g.business_id, g.mode, g.subscription_id)
    where ${businessId}::text is null or g.business_id = ${businessId}
  ), found as (
    select business_id, grant_id as id, format(
      case
        when payment_id is not null and payment_status is distinct from 'succeeded'
          then 'it is %1$s, but its payment %2$s is %3$s'
        when refund_status = 'full' then 'it is %1$s, but its payment %2$s was refunded'
        else 'it is %1$s, but its subscription %4$s is %5$s'
      end, status, payment_id, coalesce(payment_status, 'gone'), subscription_id,
      coalesce(subscription_status, 'gone')) as what
    from known
    where status <> 'Revoked' and (
      (payment_id is not null and payment_status is distinct from 'succeeded')
      or refund_status = 'full'
      or (subscription_id is not null and subscription_status is distinct from 'active'))
    union all
    select business_id, grant_id,
      format('it is kept back (%s), but its subscription is active', revocation_reason)
    from known
    where revocation_reason in ('subscription_on_hold', 'SubscriptionPaused')
      and subscription_status = 'active'
    union all
    select business_id, grant_id,
      format('it was taken back with a refund, but its payment %s was not refunded whole',
        coalesce(payment_id, 'of no name'))
    from known
    where revocation_reason = 'refund' and refund_status is distinct from 'full'
    union all
    select business_id, grant_id, 'it is Delivered, but has no license key'
    from known
    where status = 'Delivered' and integration_type = 'license_key' and keys = 0
    union all
    select business_id, grant_id, 'it is Delivered, but none of its license keys can be used'
    from known
    where status = 'Delivered' and integration_type = 'license_key' and keys > 0 and not exists (
      select from license_keys k where k.grant_id = known.grant_id and not k.disabled)
    union all
    select k.business_id, k.license_key_id, case
        when g.grant_id is null then format('its grant %s is gone', k.grant_id)
        else format('it can be used, but its grant is revoked (%s)', g.revocation_reason)
      end
    from license_keys k left join entitlement_grants g using (grant_id)
    where k.grant_id is not null
      and (${businessId}::text is null or k.business_id = ${businessId})
      and (g.grant_id is null or (not k.disabled and g.revocation_reason in
        ('plan_changed', 'refund', 'manual', 'license_key_disabled', 'platform_external')))
  )
  select business_id, id, what from found order by business_id, id, what limit ${rowsMax}`
