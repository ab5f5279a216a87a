import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * License keys and credits that no payment backs: of payments that did not succeed, or of other
 * customers; and keys that count other instances than they have. [licenses#license-keys]
 */
export const broughtBent = (businessId: string | null): Statement => sql`
  select business_id, id, what from (
    select k.business_id, license_key_id as id, format('its payment %s is %s', k.payment_id,
      coalesce(p.status, 'none of its customer')) as what
    from license_keys k left join payments p using (business_id, mode, customer_id, payment_id)
    where k.payment_id is not null and p.status is distinct from 'succeeded'
    union all
    select k.business_id, license_key_id, format('its subscription %s is none of its customer',
      k.subscription_id)
    from license_keys k
    left join subscriptions s using (business_id, mode, customer_id, subscription_id)
    where k.subscription_id is not null and s.subscription_id is null
    union all
    select business_id, license_key_id, format('it counts %s instances, but has %s',
      instances_count, coalesce(i.instances, 0))
    from license_keys
    left join (
      select license_key_id, count(*) as instances from license_key_instances
      group by license_key_id) i using (license_key_id)
    where instances_count <> coalesce(i.instances, 0)
    union all
    select a.business_id, g.grant_id, format('its payment %s is %s', g.source_id,
      coalesce(p.status, 'none of its customer'))
    from grants g join accounts a using (account_id)
    left join payments p on (p.business_id, p.mode, p.customer_id, p.payment_id)
      = (a.business_id, a.mode, a.customer_id, g.source_id)
    where g.source_type = 'one_time' and g.source_id is not null
      and p.status is distinct from 'succeeded') found
  where ${businessId}::text is null or business_id = ${businessId}
  order by business_id, id, what limit ${rowsMax}`
