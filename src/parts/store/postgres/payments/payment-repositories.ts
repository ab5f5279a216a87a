import type { Db } from '../connection/client.ts'
import { checkoutSessions } from './checkout-sessions.ts'
import { payments } from './payments.ts'
import { processorNews } from './processor-news.ts'

/** The repositories of everything that ends in a payment. */
export const paymentRepositories = (db: Db) => ({
  payments: payments(db),
  sessions: checkoutSessions(db),
  processorNews: processorNews(db),
})
