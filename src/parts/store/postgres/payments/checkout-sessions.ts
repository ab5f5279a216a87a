import type { CheckoutSession } from '../../../../rules/commerce/payments/checkout-session.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { CheckoutSessions, FoundSession } from '../../checkout-sessions.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { CheckoutSessionRow } from './checkout-session-rows.ts'
import { checkoutSessionColumns, checkoutSessionOf } from './checkout-session-rows.ts'

export function checkoutSessions(db: Db): CheckoutSessions {
  return { get, ofSubscription, find }

  async function get({ businessId, mode }: Scope, id: string): Promise<CheckoutSession | null> {
    const found = await find(mode, id)
    return found?.businessId === businessId ? found.session : null
  }

  async function ofSubscription({ businessId, mode }: Scope, subscriptionId: string) {
    const [row] = await db.query<CheckoutSessionRow>(sql`
      select ${checkoutSessionColumns} from checkout_sessions
      where business_id = ${businessId} and mode = ${mode} and session_id = (
        select session_id from payments
        where business_id = ${businessId} and mode = ${mode}
          and subscription_id = ${subscriptionId} and session_id is not null
        order by created_at, payment_id limit 1)`)
    return row === undefined ? null : checkoutSessionOf(row)
  }

  async function find(mode: Mode, sessionId: string): Promise<FoundSession | null> {
    const [row] = await db.query<CheckoutSessionRow & { business_id: string }>(sql`
      select business_id, ${checkoutSessionColumns} from checkout_sessions
      where session_id = ${sessionId} and mode = ${mode}`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode, session: checkoutSessionOf(row) }
  }
}
