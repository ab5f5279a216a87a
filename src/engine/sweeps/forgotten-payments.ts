import type { AllProcessorNews } from '../../parts/store/processor-news.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import type { Alone } from '../alone-by-lease.ts'

export interface ForgottenPaymentsNeeds {
  readonly clock: BelievedClock
  readonly processorNews: Pick<AllProcessorNews, 'wake'>
  readonly alone: Alone
  readonly logger: Logger
}

const hourMs = 3_600_000

/**
 * Once an hour has payments asked about that are not settled and that nobody asks about any more,
 * as an earlier release left them. By itself, since no renewal may wait for it. [payments#news]
 */
export function openForgottenPayments(needs: ForgottenPaymentsNeeds): Loop {
  const { alone, clock, logger, processorNews } = needs
  const work = alone('forgotten payments', async () => {
    const woken = await processorNews.wake(clock.believed())
    if (woken > 0) logger.warn({ woken }, 'payments that nobody asked about are asked about again')
    return false
  })
  return loop({ name: 'forgotten payments', logger, idleMs: hourMs, work })
}
