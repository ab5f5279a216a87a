import type { Outbox, WaitingFact } from '../../parts/store/outbox.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { passing } from '../../runtime/moments.ts'
import type { FactLinks } from '../../wire/invoice-link.ts'
import { webhookEnvelope } from '../../wire/webhook-envelope.ts'

const factsMax = 500

export interface RelayNeeds {
  readonly outbox: Outbox
  /** Whether facts are published on the topic as well. */
  readonly topic: boolean
  readonly clock: Clock
  readonly linksOf: (mode: WaitingFact['mode']) => FactLinks
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
 * what another process took meanwhile, and what an older copy of the database, put in its place
 * meanwhile, has under the same id. A crash between the two changes nothing.
 */
export async function relay(needs: RelayNeeds): Promise<boolean> {
  const { outbox, topic, clock, relayed } = needs
  const facts = await outbox.waiting(factsMax)
  if (facts.length === 0) return false
  const bodies = facts.map((fact) => ({
    id: fact.id,
    messageId: fact.messageId,
    body: fact.wanted || topic ? bodyOf(needs, fact) : null,
    customerId: topic ? keyOf(fact) : null,
  }))
  passing('relaying')
  const taken = await outbox.relay(bodies, clock.now())
  if (taken.deliveries > 0 || (topic && taken.facts > 0)) relayed()
  // Nothing was taken: another process is at work, and going on at once would only get in its way.
  return facts.length === factsMax && taken.facts > 0
}

function bodyOf({ linksOf, logger }: RelayNeeds, fact: WaitingFact): string | null {
  const { businessId, mode, type, at, told } = fact
  if (told === null) {
    logger.error({ messageId: fact.messageId, type }, 'a fact that nobody can tell is left out')
    return null
  }
  return JSON.stringify(webhookEnvelope({ businessId, at, told }, linksOf(mode)))
}

/** What a fact is published under: its customer, or the business where no customer has a part. */
function keyOf({ businessId, told }: WaitingFact): string {
  if (told === null) return ''
  if ('entry' in told) return told.entry.customerId
  return 'customerId' in told.data ? told.data.customerId : businessId
}
