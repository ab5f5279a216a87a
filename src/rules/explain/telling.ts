import { plural } from '../../std/plural.ts'
import { factTypesOf } from '../facts/ledger-facts.ts'
import type { EntryOfAccount, Told, ToldEndpoint } from './account-records.ts'

export interface ExplainedTelling {
  /** The webhook types of the entry; none for kinds of entries that are not told. */
  readonly types: readonly string[]
  readonly waiting: readonly string[]
  readonly deliveries: readonly ToldEndpoint[]
  readonly sentence: string
}

/**
 * Which endpoints were told of an entry, and how that went. [webhooks#attempts,
 * resources#ledger-entries]
 */
export function explainTelling(entry: EntryOfAccount, told: Told): ExplainedTelling {
  const types = factTypesOf(entry)
  const shown = { waiting: told.waiting, deliveries: told.deliveries.map(shownDelivery) }
  return { types, ...shown, sentence: sentenceOf(types, shown) }
}

/**
 * Attempts without an HTTP answer all look alike, and do not show how long they took: the owner of
 * an endpoint must not be able to tell a closed port from an open one.
 */
const shownDelivery = (delivery: ToldEndpoint): ToldEndpoint => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) =>
    attempt.status === null && attempt.error !== null
      ? { ...attempt, durationMs: null, error: 'not_reached' }
      : attempt,
  ),
})

function sentenceOf(types: readonly string[], { waiting, deliveries }: Told): string {
  if (types.length === 0) return 'Webhooks: entries of this kind are not told.'
  const name = types.join(' and ')
  if (waiting.length > 0) return `Webhooks: ${waiting.join(' and ')} is about to be told.`
  if (deliveries.length === 0) {
    return `Webhooks: no endpoint wanted ${name} when it was told, or its deliveries are no longer kept.`
  }
  return `Webhooks: ${deliveries.map(deliveryText).join(' ')}`
}

function deliveryText({ type, webhookId, messageId, outcome, attempts }: ToldEndpoint): string {
  const last = attempts.at(-1)
  const tries = plural(attempts.length, 'attempt')
  const answer =
    last === undefined
      ? ''
      : `, ${last.status === null ? 'the last not reached' : `the last answered ${last.status}`}`
  return `${type} to ${webhookId} as ${messageId}: ${outcome ?? 'pending'} after ${tries}${answer}.`
}
