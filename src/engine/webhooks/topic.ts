import type { CreditEvents } from '../../parts/credit-events/port.ts'
import type { Announcements } from '../../parts/store/announcements.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import { passing } from '../../runtime/moments.ts'
import type { Alone } from '../alone-by-lease.ts'

export interface TopicNeeds {
  readonly announcements: Announcements
  readonly creditEvents: CreditEvents
  readonly alone: Alone
  readonly logger: Logger
}

const announcementsMax = 500

/**
 * Publishes announcements on the topic `credit.events`, at least once: after a crash between
 * publishing and deleting they are published again, with the same webhook ids.
 */
export function openTopic(needs: TopicNeeds): Loop {
  const { announcements, creditEvents, alone, logger } = needs
  return loop({
    name: 'topic',
    work: alone('credit.events', work),
    idleMs: 50,
    logger,
  })

  async function work(): Promise<boolean> {
    const waiting = await announcements.oldest(announcementsMax)
    if (waiting.length === 0) return false
    await creditEvents.publish(
      waiting.map(({ messageId, mode, customerId, body }) => ({
        key: customerId,
        value: Buffer.from(body),
        mode,
        webhookId: messageId,
      })),
    )
    passing('announced')
    await announcements.told(waiting)
    return waiting.length === announcementsMax
  }
}
