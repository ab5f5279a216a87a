import type { Scope } from '../../src/parts/store/scope.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import type { Duration } from '../../src/std/instant.ts'
import { after, formatInstant, millisecond } from '../../src/std/instant.ts'
import type { EventInput } from '../../src/wire/usage-event.ts'
import type { Adjustment } from './adjusting.ts'
import type { Host } from './host.ts'
import { accountKeys, customers, eventNames, scopes } from './shop.ts'
import type { Process, World } from './world.ts'

/** What the clients know, that is what they were answered. The audit trusts nothing else. */
export interface Promises {
  /** Business and id of events that were answered 200. */
  readonly accepted: Set<string>
  /** All events that were ever sent. */
  readonly sent: Map<string, { readonly scope: Scope; readonly event: EventInput }>
  readonly adjusted: Map<string, Adjustment>
  readonly refused: Map<string, Adjustment>
  readonly asked: Map<string, Adjustment>
}

export interface ClientOptions {
  readonly world: World
  /** Processes that take requests; dead ones too, because a load balancer learns late. */
  readonly hosts: () => readonly Host[]
  /** The share of answers that do not arrive. */
  readonly lost: number
  /** For how long new requests begin. */
  readonly during: Duration
  /** No copy of an event is sent later than this after the first one. */
  readonly persistence: Duration
}

const answerMsMax = 1_500

export type Clients = ReturnType<typeof openClients>

export function openClients(options: ClientOptions) {
  const { world, hosts } = options
  const { random } = world
  const process = world.spawn('clients')
  const promises: Promises = {
    accepted: new Set(),
    sent: new Map(),
    adjusted: new Map(),
    refused: new Map(),
    asked: new Map(),
  }
  let working = 0
  let events = 0
  return { promises, start, begin, ask, isDone: () => working === 0 }

  function start(load: { readonly batches: number; readonly adjustments: number }): void {
    for (let batch = 0; batch < load.batches; batch += 1) beginSome(sendSome)
    for (let each = 0; each < load.adjustments; each += 1)
      beginSome(() => adjust(anAdjustment(each)))
  }

  function beginSome(work: () => Promise<void>): void {
    begin(random.below(options.during), work)
  }

  /** Begins `work` after so long, and counts as busy until it is over. */
  function begin(delay: Duration, work: () => Promise<void>): void {
    working += 1
    world.later(process, delay, () => {
      void work().then(() => {
        working -= 1
      })
    })
  }

  async function sendSome(): Promise<void> {
    const scope = random.pick(scopes)
    const batch = Array.from({ length: 1 + random.below(4) }, () => anEvent(scope))
    await send(scope, batch)
  }

  /**
   * Sends again and again until it is answered or gives up; sometimes twice at once, or once more
   * afterwards.
   */
  async function send(scope: Scope, batch: readonly EventInput[]): Promise<void> {
    const until = after(world.now(), options.persistence)
    for (const event of batch) promises.sent.set(eventName(scope, event), { scope, event })
    let again = 0
    while (world.now() < until) {
      const copies = random.chance(0.1) ? 2 : 1
      const answers = await Promise.all(
        Array.from({ length: copies }, () => ask((host) => host.ingest(scope, { events: batch }))),
      )
      if (answers.includes(200)) {
        for (const event of batch) promises.accepted.add(eventName(scope, event))
        again += 1
        if (again > 2 || random.chance(0.7)) return
      } else if (random.chance(0.1)) return
      await waitFor(random.between(20, 600))
    }
  }

  /** The other business uses the same ids, and sometimes the same customer does, too. */
  function anEvent(scope: Scope): EventInput {
    const known = [...promises.sent.values()].filter(({ scope: of }) => of === scope)
    if (known.length > 0 && random.chance(0.1)) return random.pick(known).event
    events += 1
    const { customerId } = random.pick(
      customers.filter(({ businessId }) => businessId === scope.businessId),
    )
    const name = random.pick(eventNames)
    const timestamp = formatInstant(after(world.now(), -random.below(3_000) * millisecond))
    return {
      event_id: `evt_${random.chance(0.1) ? random.below(5) : events}_${scope.businessId}`,
      customer_id: customerId,
      event_name: name,
      timestamp,
      metadata: { size: random.pick([1, 2, 7, '0.5', '1.25']) },
    }
  }

  function anAdjustment(number: number): Adjustment {
    const key: AccountKey = random.pick(accountKeys)
    const type = random.chance(0.6) ? 'credit' : 'debit'
    const amount = BigInt(1 + random.below(3_000))
    return { key, type, amount, idempotencyKey: `adj_${number}` }
  }

  async function adjust(adjustment: Adjustment): Promise<void> {
    const { idempotencyKey } = adjustment
    promises.asked.set(idempotencyKey, adjustment)
    for (let tries = 0; tries < 8; tries += 1) {
      const answer = await ask((host) => host.adjust(adjustment))
      // 409: an earlier try did it, and its answer was lost.
      if (answer === 200 || answer === 409) {
        promises.adjusted.set(idempotencyKey, adjustment)
        return
      }
      if (answer === 400) {
        // An earlier try may still be under way, and find more credits than this one.
        if (tries === 0) promises.refused.set(idempotencyKey, adjustment)
        return
      }
      await waitFor(random.between(50, 800))
    }
  }

  /** Null: no answer in time. */
  function ask(
    work: (host: Host) => Promise<{ readonly status: number }>,
    host: Host = random.pick(hosts()),
  ): Promise<number | null> {
    return new Promise((resolve) => {
      setTimeout(() => resolve(null), answerMsMax)
      world.later(host.process, 100 + random.below(2_000), () => {
        void work(host).then(({ status }) => reply(host.process, status))
      })
      function reply(from: Process, status: number): void {
        if (!from.alive || random.chance(options.lost)) return
        world.later(process, 100 + random.below(2_000), () => resolve(status))
      }
    })
  }

  function waitFor(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms)
    })
  }
}

export const eventName = ({ businessId }: Scope, { event_id }: Pick<EventInput, 'event_id'>) =>
  `${businessId} ${event_id}`
