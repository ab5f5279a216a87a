import { randomBytes } from 'node:crypto'
import { createWebhookEndpoint } from '../../../src/operations/webhooks/create-webhook-endpoint.ts'
import { changes } from '../../../src/parts/store/postgres/changes/changes.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { webhookEndpoints } from '../../../src/parts/store/postgres/telling/webhook-endpoints.ts'
import { destinations } from '../../../src/rules/facts/destination.ts'
import type { LowBalance } from '../../../src/rules/facts/fact.ts'
import type { WebhookEndpoint } from '../../../src/rules/facts/webhook-endpoint.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { openSecrets } from '../../../src/runtime/secrets.ts'
import { instantOfMs } from '../../../src/std/instant.ts'
import type { WebhookCreateParams } from '../../../src/wire/webhook-endpoint.ts'
import { wantedEndpoint } from '../../../src/wire/webhook-endpoint.ts'

export const newId = randomIds()
export const secrets = openSecrets(randomBytes(32))
export const noon = instantOfMs(Date.UTC(2026, 0, 31, 12))

export interface Books {
  readonly businessId: string
  readonly mode: 'test'
  readonly accountId: string
  endpoint(params: WebhookCreateParams): Promise<WebhookEndpoint>
  /** Writes ledger entries, and the facts that tell of them. Answers the ids of the messages. */
  facts(count: number, type?: string): Promise<readonly string[]>
  lowBalance(): Promise<string>
}

/** What the operations of webhook endpoints stand on. */
export const webhookPorts = (db: Db) => ({
  endpoints: webhookEndpoints(db),
  changes: changes(db),
  destinations: destinations([], '127.0.0.1'),
  secrets,
  newId,
})

/** A business with one customer, one account, and what a settling would have written. */
export async function openBooks(db: Db): Promise<Books> {
  const [businessId, customerId, accountId] = [newId('bus'), newId('cus'), newId('cbl')]
  const entitlementId = newId('cde')
  const mode = 'test' as const
  let entries = 0
  await db.query(sql`
    insert into businesses (business_id, name, rate_tier, created_at)
    values (${businessId}, 'Acme', '0', now())`)
  await db.query(
    sql`insert into business_modes (business_id, mode) values (${businessId}, ${mode})`,
  )
  await db.query(sql`
    insert into customers (business_id, mode, customer_id, email, name, created_at, updated_at)
    values (${businessId}, ${mode}, ${customerId}, 'a@example.com', 'A', now(), now())`)
  await db.query(sql`
    insert into accounts
      (account_id, business_id, mode, customer_id, entitlement_id, version, created_at, updated_at)
    values (
      ${accountId}, ${businessId}, ${mode}, ${customerId}, ${entitlementId}, 1, now(), now()
    )`)
  return { businessId, mode, accountId, endpoint, facts, lowBalance }

  function endpoint(params: WebhookCreateParams): Promise<WebhookEndpoint> {
    return createWebhookEndpoint(
      webhookPorts(db),
      { businessId, mode },
      {
        wanted: wantedEndpoint(params),
        at: noon,
      },
    )
  }

  async function facts(count: number, type = 'credit.deducted'): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => newId('msg'))
    await db.query(sql`
      with fact as (
        select message_id, ${entries}::bigint + place as number
        from unnest(${ids}::text[]) with ordinality as fact (message_id, place)
      ), entry as (
        insert into ledger_entries (
          account_id, number, entry_id, transaction_type, is_credit, amount, balance_before,
          balance_after, overage_before, overage_after, brand_id, created_at, metadata
        )
        select ${accountId}, number, 'cle_' || message_id, 'credit_deducted', false, 2.500,
          100, 97.500, 0.00, 0, ${businessId}, '2026-01-31T12:00:00.123456Z', '{"plan": "pro"}'
        from fact
      )
      insert into outbox (message_id, business_id, mode, type, account_id, entry_number, at)
      select message_id, ${businessId}, ${mode}, ${type}, ${accountId}, number,
        '2026-01-31T12:00:00.123456Z'
      from fact order by number`)
    entries += count
    return ids
  }

  async function lowBalance(): Promise<string> {
    const id = newId('msg')
    const data: LowBalance = {
      customerId,
      entitlementId,
      entitlementName: 'Credits',
      brandId: businessId,
      subscriptionId: null,
      balance: '1.5',
      creditsAmount: '10',
      thresholdPercent: 20,
      thresholdAmount: '2',
    }
    await db.query(sql`
      insert into outbox (message_id, business_id, mode, type, data, at)
      values (${id}, ${businessId}, ${mode}, 'credit.balance_low', ${JSON.stringify(data)}, now())`)
    return id
  }
}
