import { beforeAll, expect } from 'vitest'
import type { Answer, CallOptions } from '../asking.ts'
import type { Subscriber, Usage } from '../plan.ts'
import { fresh, subscriber } from '../plan.ts'
import type { World } from '../world.ts'

/** Sends bad input, for a customer whose balance shows whether any of it was counted. */
export interface Ingestion {
  readonly one: Subscriber
  /** A good event of the customer, with changes. */
  event(more?: object): Usage
  post(options: CallOptions): Promise<Answer>
  send(...events: readonly unknown[]): Promise<Answer>
  /** So many good events were sent besides; `position` of an answer that `post` has not seen. */
  accepted(events?: number, position?: string | null): void
  /**
   * Expects a refusal (`'422 CODE'`), and that nothing of it was counted while the server goes on
   * counting.
   */
  refused(answer: Answer, refusal: string, says: RegExp): Promise<void>
  /** Expects that what was accepted, and only that, was counted. */
  settled(): Promise<void>
}

export function ingestion(at: World): Ingestion {
  let one: Subscriber | undefined
  let sent = 0
  let positions: string[] = []
  beforeAll(async () => {
    one = await subscriber(at, { mapping: { credits_amount: '1000000' } })
  })
  const customer = (): Subscriber => {
    if (one === undefined) throw new Error('There is no customer yet.')
    return one
  }
  const post = async (options: CallOptions): Promise<Answer> => {
    const answer = await at.call('POST /events/ingest', options)
    noted(answer.headers.get('sluice-position'))
    return answer
  }
  const noted = (position: string | null): void => {
    if (position !== null) positions.push(position)
  }
  const accepted = (events = 1, position: string | null = null): void => {
    sent += events
    noted(position)
  }
  return {
    get one() {
      return customer()
    },
    event: (more = {}) => ({
      event_id: fresh('sent'),
      customer_id: customer().customerId,
      event_name: customer().eventNames[0] ?? '',
      ...more,
    }),
    post,
    send: (...events) => post({ body: { events } }),
    accepted,
    settled,
    async refused(answer, refusal, says) {
      expect(`${answer.status} ${answer.body.code}`, answer.text).toBe(refusal)
      expect(answer.body.message).toMatch(says)
      expect(answer.headers.get('x-should-retry')).toBe('false')
      expect(answer.headers.get('sluice-position')).toBeNull()
      await settled()
    },
  }

  async function settled(): Promise<void> {
    // Events are spread over partitions, and each is measured at its own pace.
    const after = [...positions, await customer().use({})].join(',')
    positions = []
    accepted()
    expect((await customer().balance(after)).balance).toBe(String(1_000_000 - sent))
  }
}
