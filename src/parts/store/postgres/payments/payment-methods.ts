import { liveStatuses } from '../../../../rules/commerce/catalog/brand.ts'
import type { SavedMethod } from '../../../../rules/commerce/payments/saved-method.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { PaymentMethods } from '../../payment-methods.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

interface Row {
  readonly payment_method_id: string
  readonly customer_id: string
  readonly document: Pick<SavedMethod, 'token' | 'card'>
  readonly last_used_at: Instant
  readonly deleted_at: Instant | null
  readonly version: number
  readonly created_at: Instant
}

const columns = sql`
  payment_method_id, customer_id, document, last_used_at, deleted_at, version, created_at`

export function paymentMethods(db: Db): PaymentMethods {
  return { get, ofCustomer, chargedBy }

  async function get({ businessId, mode }: Scope, id: string): Promise<SavedMethod | null> {
    const [row] = await db.query<Row>(sql`
      select ${columns} from payment_methods
      where business_id = ${businessId} and mode = ${mode} and payment_method_id = ${id}`)
    return row === undefined ? null : savedMethodOf(row)
  }

  async function ofCustomer(
    { businessId, mode }: Scope,
    customerId: string,
  ): Promise<readonly SavedMethod[]> {
    const rows = await db.query<Row>(sql`
      select ${columns} from payment_methods
      where (business_id, mode, customer_id) = (${businessId}, ${mode}, ${customerId})
        and deleted_at is null
      order by created_at desc, payment_method_id desc`)
    return rows.map(savedMethodOf)
  }

  async function chargedBy({ businessId, mode }: Scope, id: string): Promise<string | null> {
    const [row] = await db.query<{ subscription_id: string }>(sql`
      select subscription_id from subscriptions
      where (business_id, mode, payment_method_id) = (${businessId}, ${mode}, ${id})
        and status = any(${liveStatuses})
      limit 1`)
    return row?.subscription_id ?? null
  }
}

const savedMethodOf = (row: Row): SavedMethod => ({
  ...row.document,
  paymentMethodId: row.payment_method_id,
  customerId: row.customer_id,
  lastUsedAt: row.last_used_at,
  deletedAt: row.deleted_at,
  version: row.version,
  createdAt: row.created_at,
})

/** As write_payment_methods() takes it. */
export const paymentMethodRow = (scope: Scope, method: SavedMethod): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  payment_method_id: method.paymentMethodId,
  customer_id: method.customerId,
  document: { token: method.token, card: method.card },
  last_used_at: timestamptz(method.lastUsedAt),
  deleted_at: timestamptz(method.deletedAt),
  version: method.version,
  created_at: timestamptz(method.createdAt),
})
