import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Boundaries, Boundary, Whose } from '../../boundaries.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function boundaries(db: Db): Boundaries {
  return { due }

  async function due(
    upTo: Instant,
    whose: Whose | null,
    limit: number,
  ): Promise<readonly Boundary[]> {
    const business = whose?.businessId ?? null
    const mode = whose?.mode ?? null
    const customer = whose?.customerId ?? null
    const rows = await db.query<Row>(sql`
      with clock as (
        select business_id, mode,
          ${timestamptz(upTo)}::timestamptz + clock_ahead_us * interval '1 microsecond' as now
        from business_modes
        where (${business}::text is null or (business_id, mode) = (${business}, ${mode}))
      )
      (
        select 0 as rank,
          case when s.expires_at < s.next_billing_date then 'subscription_end'
            else 'cycle_end' end as kind,
          least(s.next_billing_date, s.expires_at) as at, clock.business_id, clock.mode,
          s.subscription_id as id, null as customer_id, null as entitlement_id
        from subscriptions s join clock on (clock.business_id, clock.mode) = (s.business_id, s.mode)
        where s.status = 'active' and least(s.next_billing_date, s.expires_at) <= clock.now
          and (${customer}::text is null or s.customer_id = ${customer})
        order by least(s.next_billing_date, s.expires_at) limit ${limit}
      ) union all (
        select 0,
          case when s.expires_at < s.next_billing_date then 'subscription_end'
            else 'cycle_end' end,
          least(s.next_billing_date, s.expires_at), clock.business_id, clock.mode,
          s.subscription_id, null, null
        from subscriptions s join clock on (clock.business_id, clock.mode) = (s.business_id, s.mode)
        where s.status = 'on_hold' and least(s.next_billing_date, s.expires_at) <= clock.now
          and (${customer}::text is null or s.customer_id = ${customer})
        order by least(s.next_billing_date, s.expires_at) limit ${limit}
      ) union all (
        select 0, 'renewal_retry', s.retry_at, clock.business_id, clock.mode, s.subscription_id,
          null, null
        from subscriptions s join clock on (clock.business_id, clock.mode) = (s.business_id, s.mode)
        where s.status = 'on_hold' and s.retry_at <= clock.now
          and (${customer}::text is null or s.customer_id = ${customer})
        order by s.retry_at limit ${limit}
      ) union all (
        select 0, 'own_cycle_end', a.own_cycle_at + interval '1 month', clock.business_id, clock.mode,
          a.account_id, a.customer_id, a.entitlement_id
        from accounts a
        join clock on (clock.business_id, clock.mode) = (a.business_id, a.mode)
        join credit_entitlements e
          on (e.business_id, e.mode, e.credit_entitlement_id)
            = (a.business_id, a.mode, a.entitlement_id)
        where e.stretches <> '[]' and a.own_cycle_at + interval '1 month' <= clock.now
          and (${customer}::text is null or a.customer_id = ${customer})
        order by a.own_cycle_at limit ${limit}
      ) union all (
        select 0, 'dispute_window', d.answer_by, clock.business_id, clock.mode, d.dispute_id, null,
          null
        from disputes d
        join clock on (clock.business_id, clock.mode) = (d.business_id, d.mode)
        where d.status = 'dispute_opened' and d.answer_by <= clock.now
          and (${customer}::text is null or d.customer_id = ${customer})
        order by d.answer_by limit ${limit}
      ) union all (
        select 0, 'processor_news', w.due_at, clock.business_id, clock.mode, w.news_id, null, null
        from processor_news w
        join clock on (clock.business_id, clock.mode) = (w.business_id, w.mode)
        where w.due_at <= clock.now and (${customer}::text is null or w.customer_id = ${customer})
        order by w.due_at limit ${limit}
      ) union all (
        select 1, 'expiry', g.expires_at, clock.business_id, clock.mode, g.grant_id, a.customer_id,
          a.entitlement_id
        from grants g
        join accounts a using (account_id)
        join clock on (clock.business_id, clock.mode) = (a.business_id, a.mode)
        where g.ended_at is null and g.expires_at <= clock.now
          and (${customer}::text is null or a.customer_id = ${customer})
        order by g.expires_at limit ${limit}
      )
      order by at, rank, id limit ${limit}`)
    return rows.map(boundaryOf)
  }
}

interface Row {
  readonly kind: Boundary['kind']
  readonly at: Instant
  readonly business_id: string
  readonly mode: Mode
  readonly id: string
  readonly customer_id: string | null
  readonly entitlement_id: string | null
}

function boundaryOf(row: Row): Boundary {
  const { kind, at, business_id: businessId, mode, id } = row
  if (kind === 'cycle_end' || kind === 'subscription_end' || kind === 'renewal_retry')
    return { kind, at, scope: { businessId, mode }, subscriptionId: id }
  if (kind === 'dispute_window') return { kind, at, scope: { businessId, mode }, disputeId: id }
  if (kind === 'processor_news') return { kind, at, scope: { businessId, mode }, newsId: id }
  const key = {
    businessId,
    mode,
    customerId: row.customer_id ?? '',
    entitlementId: row.entitlement_id ?? '',
  }
  return kind === 'expiry' ? { kind, at, key, grantId: id } : { kind, at, key }
}
