import type { Outbox, WaitingFact } from '../../parts/store/outbox.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { passing } from '../../runtime/moments.ts'
import { webhookEnvelope } from '../../wire/webhook-envelope.ts'

const factsMax = 500

export interface RelayNeeds {
  readonly outbox: Outbox
  /** Whether facts are published on the topic as well. */
  readonly topic: boolean
  readonly clock: Clock
  readonly logger: Logger
  /** Called when deliveries or announcements have been made. */
  readonly relayed: () => void
}

/**
 * One round of outbox → deliveries and announcements; true when there may be more.
 *
 * The body is made here, once, by the view that the ledger API uses, and kept as text: a fact looks
 * the same wherever it is read, and every attempt signs the same bytes. Reading first and taking
 * afterwards needs two trips but no transaction, because taking is one statement that leaves alone
 * what another process took meanwhile. A crash between the two changes nothing.
 */
export async function relay(needs: RelayNeeds): Promise<boolean> {
  const { outbox, topic, clock, logger, relayed } = needs
  const facts = await outbox.waiting(factsMax)
  if (facts.length === 0) return false
  const bodies = facts.map((fact) => ({
    id: fact.id,
    body: fact.wanted || topic ? bodyOf(fact, logger) : null,
    customerId: topic ? customerOf(fact) : null,
  }))
  passing('relaying')
  const taken = await outbox.relay(bodies, clock.now())
  if (taken.deliveries > 0 || (topic && taken.facts > 0)) relayed()
  // Nothing was taken: another process is at work, and going on at once would only get in its way.
  return facts.length === factsMax && taken.facts > 0
}

function bodyOf(fact: WaitingFact, logger: Logger): string | null {
  const { businessId, type, at, told } = fact
  if (told === null) {
    logger.error({ messageId: fact.messageId, type }, 'a fact that nobody can tell is left out')
    return null
  }
  return JSON.stringify(webhookEnvelope({ businessId, at, told }))
}

function customerOf({ told }: WaitingFact): string {
  if (told === null) return ''
  return 'entry' in told ? told.entry.customerId : told.data.customerId
}
