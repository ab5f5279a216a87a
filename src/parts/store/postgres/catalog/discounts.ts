import type { Customer } from '../../../../rules/commerce/catalog/customer.ts'
import type { Discount, DiscountCustomer } from '../../../../rules/commerce/discounts/discount.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { DiscountFilter, Discounts } from '../../discounts.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'
import type { CustomerRow } from './customer-rows.ts'
import { customerColumns, customerOf } from './customer-rows.ts'
import type { DiscountRow } from './discount-rows.ts'
import { discountColumns, discountOf } from './discount-rows.ts'

export function discounts(db: Db): Discounts {
  return { get, withCode, list, customers, attached, usesBy }

  async function get(scope: Scope, discountId: string): Promise<Discount | null> {
    return one(scope, sql`discount_id = ${discountId}`)
  }

  async function withCode(scope: Scope, code: string): Promise<Discount | null> {
    return one(scope, sql`code = ${code}`)
  }

  async function one({ businessId, mode }: Scope, condition: Statement): Promise<Discount | null> {
    const [row] = await db.query<DiscountRow>(sql`
      select ${discountColumns} from discounts
      where business_id = ${businessId} and mode = ${mode} and deleted_at is null
      and ${condition}`)
    return row === undefined ? null : discountOf(row)
  }

  async function list(
    { businessId, mode }: Scope,
    filter: DiscountFilter,
    page: Page,
  ): Promise<readonly Discount[]> {
    const conditions = [
      sql`business_id = ${businessId} and mode = ${mode} and deleted_at is null`,
      ...matching(filter),
    ]
    const rows = await db.query<DiscountRow>(sql`
      select ${discountColumns} from discounts
      where ${joined(conditions, ' and ')}
      order by created_at desc, discount_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(discountOf)
  }

  async function customers(
    { businessId, mode }: Scope,
    discountId: string,
    page: Page,
  ): Promise<readonly Customer[]> {
    const rows = await db.query<CustomerRow>(sql`
      select ${customerColumns}
      from discount_customers join customers using (business_id, mode, customer_id)
      where business_id = ${businessId} and mode = ${mode} and discount_id = ${discountId}
      order by attached_at desc, customer_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(customerOf)
  }

  async function attached(
    { businessId, mode }: Scope,
    discountId: string,
    customerId: string,
  ): Promise<DiscountCustomer | null> {
    const [row] = await db.query<{ attached_at: Instant }>(sql`
      select attached_at from discount_customers
      where business_id = ${businessId} and mode = ${mode} and discount_id = ${discountId}
      and customer_id = ${customerId}`)
    return row === undefined ? null : { discountId, customerId, attachedAt: row.attached_at }
  }

  async function usesBy(
    { businessId, mode }: Scope,
    customerId: string,
    discountIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (discountIds.length === 0) return new Map()
    const rows = await db.query<{ discount_id: string; uses: number }>(sql`
      select discount_id, count(*) as uses from discount_uses
      where business_id = ${businessId} and mode = ${mode} and customer_id = ${customerId}
      and discount_id = any(${discountIds}::text[])
      group by discount_id`)
    return new Map(rows.map((row) => [row.discount_id, row.uses]))
  }
}

function matching(filter: DiscountFilter): readonly Statement[] {
  const { active, at, code, type, productId } = filter
  return [
    ...(active === null ? [] : [sql`${redeemable(at)} = ${active}`]),
    ...(code === null ? [] : [sql`strpos(code, ${code}) > 0`]),
    ...(type === null ? [] : [sql`type = ${type}`]),
    ...(productId === null
      ? []
      : [sql`(restricted_to = '{}' or ${productId} = any(restricted_to))`]),
  ]
}

/** Started, not over, and not used up. [resources#discounts] */
const redeemable = (at: Instant): Statement => sql`(
  coalesce(starts_at <= ${timestamptz(at)}::timestamptz, true)
  and coalesce(expires_at > ${timestamptz(at)}::timestamptz, true)
  and coalesce(times_used < usage_limit, true))`
