import type { ChargeOutcome, IntentStatus } from '../../../../rules/commerce/payments/payment.ts'
import { intentStatuses, isSettled } from '../../../../rules/commerce/payments/payment.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { AllProcessorNews, ProcessorNews } from '../../processor-news.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

interface Row {
  readonly news_id: string
  readonly customer_id: string
  readonly payment_id: string
  readonly due_at: Instant
  readonly outcome: ChargeOutcome | null
}

export function processorNews(db: Db): AllProcessorNews {
  return { get, wake }

  async function get({ businessId, mode }: Scope, newsId: string): Promise<ProcessorNews | null> {
    const [row] = await db.query<Row>(sql`
      select news_id, customer_id, payment_id, due_at, outcome from processor_news
      where business_id = ${businessId} and mode = ${mode} and news_id = ${newsId}`)
    if (row === undefined) return null
    return {
      newsId: row.news_id,
      customerId: row.customer_id,
      paymentId: row.payment_id,
      dueAt: row.due_at,
      outcome: row.outcome,
    }
  }

  async function wake(upTo: Instant): Promise<number> {
    // One business after the other, so that an index finds its few payments.
    const [woken] = await db.query<{ count: number }>(sql`
      with clock as (
        select business_id, mode,
          ${timestamptz(upTo)}::timestamptz + clock_ahead_us * interval '1 microsecond' as now
        from business_modes
      ), forgotten as (
        select p.business_id, p.mode, p.payment_id, p.customer_id, clock.now as due_at,
          'pnw_' || substr(p.payment_id, 5) as news_id, false as heard
        from clock
        join payments p on (p.business_id, p.mode) = (clock.business_id, clock.mode)
        where p.status = any(${open}::text[]) and p.created_at < clock.now - interval '1 hour'
          and not exists (
            select from processor_news w
            where (w.business_id, w.mode, w.payment_id) = (p.business_id, p.mode, p.payment_id))
      )
      select count(*)::int as count,
        write_processor_news(coalesce(jsonb_agg(to_jsonb(forgotten)), '[]'))
      from forgotten`)
    return woken?.count ?? 0
  }
}

/** What is not settled. */
const open: readonly IntentStatus[] = intentStatuses.filter((status) => !isSettled({ status }))

/** As write_processor_news() takes it. */
export const processorNewsRow = (scope: Scope, news: ProcessorNews): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  news_id: news.newsId,
  customer_id: news.customerId,
  payment_id: news.paymentId,
  due_at: timestamptz(news.dueAt),
  outcome: news.outcome,
})
