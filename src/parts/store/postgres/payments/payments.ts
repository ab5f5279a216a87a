import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { Payment } from '../../../../rules/commerce/payments/payment.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { PaymentFilter, Payments, TakenMoney } from '../../payments.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { joined, sql } from '../connection/sql.ts'
import type { PaymentRow } from './payment-rows.ts'
import { paymentColumns, paymentOf } from './payment-rows.ts'

export function payments(db: Db): Payments {
  return { get, find, list, taken }

  async function get({ businessId, mode }: Scope, paymentId: string): Promise<Payment | null> {
    const [row] = await db.query<PaymentRow>(sql`
      select ${paymentColumns} from payments
      where business_id = ${businessId} and mode = ${mode} and payment_id = ${paymentId}`)
    return row === undefined ? null : paymentOf(row)
  }

  async function find(paymentId: string) {
    const [row] = await db.query<PaymentRow & { business_id: string; mode: Mode }>(sql`
      select business_id, mode, ${paymentColumns} from payments where payment_id = ${paymentId}`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode: row.mode, payment: paymentOf(row) }
  }

  async function list(
    { businessId, mode }: Scope,
    filter: PaymentFilter,
    page: Page,
  ): Promise<readonly Payment[]> {
    const { createdFrom, createdTo, productId } = filter
    const equal = [
      [sql`brand_id`, filter.brandId],
      [sql`customer_id`, filter.customerId],
      [sql`subscription_id`, filter.subscriptionId],
      [sql`currency`, filter.currency],
      [sql`status`, filter.status],
      [sql`dispute_status`, filter.disputeStatus],
    ] as const
    const conditions = [
      sql`business_id = ${businessId} and mode = ${mode}`,
      ...equal.flatMap(([column, value]) => (value === null ? [] : [sql`${column} = ${value}`])),
      ...(productId === null ? [] : [sql`product_ids @> array[${productId}]::text[]`]),
      ...(createdFrom === null ? [] : [sql`created_at >= ${timestamptz(createdFrom)}`]),
      ...(createdTo === null ? [] : [sql`created_at <= ${timestamptz(createdTo)}`]),
    ]
    const rows = await db.query<PaymentRow>(sql`
      select ${paymentColumns} from payments
      where ${joined(conditions, ' and ')}
      order by created_at desc, payment_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(paymentOf)
  }
  async function taken(
    { businessId, mode }: Scope,
    since: Instant,
    most: number,
  ): Promise<readonly TakenMoney[] | null> {
    const rows = await db.query<TakenRow>(sql`
      with counted as materialized (
        select count(*) as looked from (
          select from payments where business_id = ${businessId} and mode = ${mode}
            and created_at >= ${timestamptz(since)}
          limit ${most + 1}
        ) as recent
      )
      select null as currency, looked, null as amount, null as payments from counted
      union all
      select currency, null, sum(total_amount)::bigint, count(*) from payments
      where (select looked from counted) <= ${most} and business_id = ${businessId}
        and mode = ${mode} and created_at >= ${timestamptz(since)} and status = 'succeeded'
      group by currency order by payments desc nulls first, currency`)
    const [counted, ...taken] = rows
    return (counted?.looked ?? 0) > most
      ? null
      : taken.map((row) => ({
          currency: row.currency as Currency,
          amount: row.amount ?? 0,
          payments: row.payments ?? 0,
        }))
  }
}

/** How many payments there are, then what those of each currency come to. */
interface TakenRow {
  readonly currency: Currency | null
  readonly looked: number | null
  readonly amount: number | null
  readonly payments: number | null
}
