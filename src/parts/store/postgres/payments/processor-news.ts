import type { ChargeOutcome } from '../../../../rules/commerce/payments/payment.ts'
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
  return { get }

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
}

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
