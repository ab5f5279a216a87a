import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Delivery, DeliveryNeeds } from '../../../src/engine/webhooks/delivery.ts'
import { openDelivery } from '../../../src/engine/webhooks/delivery.ts'
import { openEgress } from '../../../src/engine/webhooks/egress.ts'
import { openResolve } from '../../../src/engine/webhooks/resolve.ts'
import { limits } from '../../../src/limits.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { deliveries } from '../../../src/parts/store/postgres/telling/deliveries.ts'
import { outbox } from '../../../src/parts/store/postgres/telling/outbox.ts'
import { destinations } from '../../../src/rules/facts/destination.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after } from '../../../src/std/instant.ts'
import { noLinks } from '../../../src/wire/invoice-link.ts'
import { quiet } from '../runtime/logger.ts'
import type { Books } from '../store/books.ts'
import { openBooks, secrets } from '../store/books.ts'
import type { ScratchDatabase } from '../store/database.ts'
import { scratchDatabase } from '../store/database.ts'
import type { Receiver, Respond } from './receiver.ts'
import { openReceiver } from './receiver.ts'

export interface DeliveryRow {
  readonly message_id: string
  readonly attempts: number
  readonly next_at: number | null
  readonly claimed_until: number | null
  readonly outcome: string | null
}

/** What a suite that tells facts works with; what a test has opened is closed after it. */
export interface Telling {
  db(): Db
  /** The names of the outcomes that were counted. */
  readonly outcomes: string[]
  receiver(respond?: Respond): Promise<{ readonly receiver: Receiver; readonly books: Books }>
  started(more?: Partial<DeliveryNeeds>): Delivery
  rows(): Promise<readonly DeliveryRow[]>
  /**
   * Waits until `check` holds for the deliveries; a test that waits in vain ends by its own
   * timeout.
   */
  settled(check: (rows: readonly DeliveryRow[]) => boolean): Promise<readonly DeliveryRow[]>
  /** Takes what waits out of the outbox, as a process whose clock says `at` would. */
  relayed(at: Instant): Promise<void>
}

export function telling(): Telling {
  let scratch: ScratchDatabase
  const outcomes: string[] = []
  const closing: (() => Promise<void>)[] = []
  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  afterAll(() => scratch.drop())
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
    await db().query(sql`
      truncate outbox, messages, deliveries, attempts, webhook_endpoints, webhook_streams`)
  })
  return { db, outcomes, receiver, started, rows, settled, relayed }

  function db(): Db {
    return scratch.db
  }

  async function receiver(respond?: Respond): Promise<{ receiver: Receiver; books: Books }> {
    const opened = await openReceiver(respond)
    closing.push(opened.close)
    return { receiver: opened, books: await openBooks(db()) }
  }

  async function relayed(at: Instant): Promise<void> {
    const facts = await outbox(db()).waiting(1_000)
    const bodies = facts.map(({ id, messageId }) => ({
      id,
      messageId,
      body: '{}',
      customerId: null,
    }))
    await outbox(db()).relay(bodies, at)
  }

  function started(more: Partial<DeliveryNeeds> = {}): Delivery {
    const delivery = openDelivery({
      outbox: outbox(db()),
      topic: null,
      deliveries: deliveries(db()),
      linksOf: () => noLinks,
      secrets,
      post: openEgress({
        destinations: destinations([], '127.0.0.1'),
        resolve: openResolve(),
        timeoutMs: limits.webhookTimeoutMs,
      }),
      lookMs: 50,
      leaseMs: limits.webhookLeaseMs,
      clock: systemClock(),
      logger: quiet,
      metrics: { attempted: (outcome) => outcomes.push(outcome), pending: () => undefined },
      ...more,
    })
    closing.push(() => delivery.stop(0))
    delivery.start()
    return delivery
  }

  function rows(): Promise<readonly DeliveryRow[]> {
    return db().query<DeliveryRow>(sql`select * from deliveries order by message_id`)
  }

  async function settled(
    check: (rows: readonly DeliveryRow[]) => boolean,
  ): Promise<readonly DeliveryRow[]> {
    for (;;) {
      const now = await rows()
      if (check(now)) return now
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

export const over = (all: readonly DeliveryRow[]): boolean =>
  all.length > 0 && all.every((one) => one.outcome !== null)

/** Real time that can be moved ahead, for tests that would wait for hours. */
export function movableClock(): Clock & { ahead: number } {
  const real = systemClock()
  const clock = { ahead: 0, now: () => after(real.now(), clock.ahead) }
  return clock
}
