import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'
import type { Catalogue } from './catalogue.ts'
import type { EventMaker } from './events.ts'
import { eventMaker } from './events.ts'
import { invalidRequests } from './invalid.ts'
import type { Model, SentEvent } from './model.ts'
import type { Random } from './random.ts'

/** Counts of what was sent. */
export interface Sent {
  /** With copies. */
  events: number
  requests: number
  /** Requests that had to be repeated until they were answered. */
  retried: number
  /** Requests that were repeated on purpose, after the answer. */
  repeated: number
  /** Requests that were wrong on purpose. */
  invalid: number
  adjustments: number
  /** Balances that were read right after sending, and compared. */
  reads: number
}

export interface LoadParts {
  readonly api: Api
  readonly catalogue: Catalogue
  readonly model: Model
  readonly random: Random
  readonly sent: Sent
  /** Reports something that must never happen, in words. */
  readonly wrong: (what: string) => void
}

/**
 * A client: does one thing after the other until it is told to stop, and finishes what it has
 * begun.
 */
export type Client = (stopped: () => boolean) => Promise<void>

/** Events that were sent and never answered: each may count once, or not at all. */
export type Unanswered = SentEvent[]

/** Some accepted events, which are looked up at the end. */
export interface Samples {
  readonly accepted: SentEvent[]
  /** Event ids of requests that were refused: these events must not exist. */
  readonly refused: string[]
}

const samplesMax = 300

/** Sends batches, each again and again with the same ids until it is answered. */
export function sender(
  name: string,
  parts: LoadParts,
  keep: { readonly unanswered: Unanswered; readonly samples: Samples },
): Client {
  const { api, catalogue, model, random, sent, wrong } = parts
  const maker = eventMaker(name, catalogue, random)
  const invalid = invalidRequests(name, catalogue, random)
  const recent: SentEvent[][] = []

  return async (stopped) => {
    while (!stopped()) {
      const kind = random.next()
      if (kind < 0.04) await sendInvalid()
      else if (kind < 0.16) await sendAndLeave(maker.batch(10))
      else if (kind < 0.26 && recent.length > 0) await sendAgain(random.pick(recent))
      else await sendNew(maker.batch(random.chance(0.05) ? 200 : 20), random.chance(0.06))
      await sleep(random.between(20, 160))
    }
  }

  async function sendNew(batch: SentEvent[], twice: boolean): Promise<void> {
    // Two clients that do not know of each other send the same ids at the same time.
    const answers = await Promise.all([deliver(batch), ...(twice ? [deliver(batch)] : [])])
    if (!answers.includes(true)) return
    for (const event of batch) model.count(event)
    recent.push(batch)
    if (recent.length > 20) recent.shift()
    if (keep.samples.accepted.length < samplesMax || random.chance(0.02)) {
      const place = Math.min(keep.samples.accepted.length, random.below(samplesMax))
      keep.samples.accepted[place] = random.pick(batch)
    }
  }

  async function deliver(batch: readonly SentEvent[]): Promise<boolean> {
    sent.events += batch.length
    sent.requests += 1
    const answer = await api.insist({ method: 'POST', path: ingestPath, body: { events: batch } })
    if (answer.tries > 1) sent.retried += 1
    if (answer.status === 200) return true
    wrong(`a valid batch was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return false
  }

  /** One try only; what it did is looked up at the end. */
  async function sendAndLeave(batch: SentEvent[]): Promise<void> {
    sent.events += batch.length
    sent.requests += 1
    const call = { method: 'POST', path: ingestPath, body: { events: batch } } as const
    const answer = await api.once(call).catch(() => null)
    if (answer?.status === 200) for (const event of batch) model.count(event)
    else keep.unanswered.push(...batch)
    if (answer !== null && answer.status > 400 && answer.status < 500) {
      wrong(`a valid batch was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
  }

  async function sendAgain(batch: readonly SentEvent[]): Promise<void> {
    sent.repeated += 1
    const known = batch.map((event) => (random.chance(0.3) ? maker.disguised(event) : event))
    await deliver(known)
  }

  async function sendInvalid(): Promise<void> {
    const { body, ids } = invalid(maker)
    sent.invalid += 1
    const answer = await api.insist({ method: 'POST', path: ingestPath, body })
    if (answer.status < 400) wrong(`an invalid batch was accepted: ${JSON.stringify(body)}`)
    if (keep.samples.refused.length < samplesMax) keep.samples.refused.push(...ids.slice(0, 2))
  }
}

const ingestPath = '/events/ingest'

/**
 * Is the only one to use its customer, so that after each answer it knows what the balance must be,
 * and reads it with `Sluice-After`.
 */
export function soloist(name: string, parts: LoadParts): Client {
  const { api, catalogue, model, random, sent, wrong } = parts
  const maker = eventMaker(name, catalogue, random)
  const { solo } = catalogue
  const { plan } = solo
  if (plan === null) throw new Error('The solo customer has no subscription.')
  return async (stopped) => {
    // Each partition is measured at its own pace, so the newest position says nothing of the
    // others.
    let after: string[] = []
    while (!stopped()) {
      const position = await sendOne(maker)
      if (position !== null) after.push(position)
      if (after.length > 0 && random.chance(0.4)) {
        await compare(after.join(','))
        after = []
      }
      await sleep(random.between(50, 250))
    }
  }

  async function sendOne(from: EventMaker): Promise<string | null> {
    const events = from.batchFor(solo, 5)
    sent.events += events.length
    sent.requests += 1
    const answer = await api.insist({ method: 'POST', path: ingestPath, body: { events } })
    if (answer.tries > 1) sent.retried += 1
    if (answer.status === 200) for (const event of events) model.count(event)
    else wrong(`a valid batch of the solo customer was answered ${answer.status}`)
    return answer.position
  }

  async function compare(after: string): Promise<void> {
    if (plan === null) return
    const expected = model.account(solo, plan)
    const path = `/credit-entitlements/${expected.entitlementId}/balances/${solo.id}`
    const answer = await api.insist({ method: 'GET', path, after })
    sent.reads += 1
    if (answer.status === 200 && answer.body['balance'] === expected.balance) return
    wrong(
      `the solo balance is ${expected.balance} and reads ${answer.status} ${answer.body['balance']}`,
    )
  }
}
