import type {
  LicenseKey,
  LicenseKeyInstance,
} from '../../../../rules/commerce/licenses/license-key.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type {
  InstanceFilter,
  LicenseKeyFilter,
  LicenseKeys,
  OwnedLicenseKey,
} from '../../license-keys.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { joined, sql } from '../connection/sql.ts'
import type { InstanceRow, LicenseKeyRow } from './license-key-rows.ts'
import {
  instanceColumns,
  instanceOf,
  licenseKeyColumns,
  licenseKeyOf,
  licenseKeyTables,
} from './license-key-rows.ts'

export function licenseKeys(db: Db): LicenseKeys {
  return { get, find, list, broughtBy, instance, findInstance, instances }

  async function get(scope: Scope, licenseKeyId: string): Promise<LicenseKey | null> {
    const [row] = await db.query<LicenseKeyRow>(sql`
      select ${licenseKeyColumns} from ${licenseKeyTables}
      where (k.business_id, k.mode) = (${scope.businessId}, ${scope.mode})
      and k.license_key_id = ${licenseKeyId}`)
    return row === undefined ? null : licenseKeyOf(row)
  }

  async function find(mode: Mode, key: string): Promise<OwnedLicenseKey | null> {
    const [row] = await db.query<LicenseKeyRow & { readonly business_id: string }>(sql`
      select k.business_id, ${licenseKeyColumns} from ${licenseKeyTables}
      where (k.mode, k.key) = (${mode}, ${key})`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode, licenseKey: licenseKeyOf(row) }
  }

  async function list(
    { businessId, mode }: Scope,
    filter: LicenseKeyFilter & { readonly at: Instant },
    page: Page,
  ): Promise<readonly LicenseKey[]> {
    const rows = await db.query<LicenseKeyRow>(sql`
      select ${licenseKeyColumns} from ${licenseKeyTables}
      where (k.business_id, k.mode) = (${businessId}, ${mode})
      and (${filter.customerId}::text is null or k.customer_id = ${filter.customerId})
      and (${filter.productId}::text is null or k.product_id = ${filter.productId})
      and (${filter.source}::text is null or k.source = ${filter.source})
      and (${timestamptz(filter.createdFrom)}::timestamptz is null
        or k.created_at >= ${timestamptz(filter.createdFrom)}::timestamptz)
      and (${timestamptz(filter.createdTo)}::timestamptz is null
        or k.created_at <= ${timestamptz(filter.createdTo)}::timestamptz)
      and (${filter.status}::text is null or ${filter.status} = case
        when k.disabled then 'disabled'
        when s.status = 'expired' then 'expired'
        when s.status <> 'active' then 'disabled'
        when k.expires_at <= ${timestamptz(filter.at)}::timestamptz then 'expired'
        else 'active' end)
      order by k.created_at desc, k.license_key_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(licenseKeyOf)
  }

  async function broughtBy(
    { businessId, mode }: Scope,
    {
      paymentIds = [],
      subscriptionIds = [],
      grantIds = [],
    }: Parameters<LicenseKeys['broughtBy']>[1],
  ): Promise<readonly LicenseKey[]> {
    if (paymentIds.length + subscriptionIds.length + grantIds.length === 0) return []
    const rows = await db.query<LicenseKeyRow>(sql`
      select ${licenseKeyColumns} from ${licenseKeyTables}
      where (k.business_id, k.mode) = (${businessId}, ${mode})
      and (k.payment_id = any(${paymentIds}::text[])
        or k.subscription_id = any(${subscriptionIds}::text[])
        or k.grant_id = any(${grantIds}::text[]))
      order by k.created_at, k.license_key_id`)
    return rows.map(licenseKeyOf)
  }

  async function instance(scope: Scope, instanceId: string): Promise<LicenseKeyInstance | null> {
    const [row] = await db.query<InstanceRow>(sql`
      select ${instanceColumns} from license_key_instances i
      where (i.business_id, i.mode) = (${scope.businessId}, ${scope.mode})
      and i.instance_id = ${instanceId}`)
    return row === undefined ? null : instanceOf(row)
  }

  async function findInstance(mode: Mode, instanceId: string): Promise<LicenseKeyInstance | null> {
    const [row] = await db.query<InstanceRow>(sql`
      select ${instanceColumns} from license_key_instances i
      where i.instance_id = ${instanceId} and i.mode = ${mode}`)
    return row === undefined ? null : instanceOf(row)
  }

  async function instances(
    { businessId, mode }: Scope,
    { licenseKeyId, grantId }: InstanceFilter,
    page: Page,
  ): Promise<readonly LicenseKeyInstance[]> {
    const conditions = [
      sql`(i.business_id, i.mode) = (${businessId}, ${mode})`,
      ...(licenseKeyId === null ? [] : [sql`i.license_key_id = ${licenseKeyId}`]),
      ...(grantId === null
        ? []
        : [
            sql`i.license_key_id in (
              select k.license_key_id from license_keys k
              where (k.business_id, k.mode) = (${businessId}, ${mode})
              and k.grant_id = ${grantId})`,
          ]),
    ]
    const rows = await db.query<InstanceRow>(sql`
      select ${instanceColumns} from license_key_instances i
      where ${joined(conditions, ' and ')}
      order by i.created_at desc, i.instance_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(instanceOf)
  }
}
