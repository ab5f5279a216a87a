import { webhookMessageRoutes } from '../../../src/edge/api/webhook-messages.ts'
import { webhooks } from '../../../src/edge/api/webhooks.ts'
import { webhookMessages } from '../../../src/parts/store/postgres/telling/webhook-messages.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { AnswerBody, Call } from '../edge/call.ts'
import { caller } from '../edge/call.ts'
import type { Books } from '../store/books.ts'
import { webhookPorts } from '../store/books.ts'
import type { Received, Receiver, Respond } from './receiver.ts'
import type { Telling } from './telling.ts'

/** A business with one endpoint, and a `call` of the API for it. */
export interface OneEndpoint {
  readonly receiving: Receiver
  readonly books: Books
  readonly call: Call
  readonly path: `/webhooks/${string}`
  readonly webhookId: string
  listed(): Promise<readonly AnswerBody[]>
}

export const oneEndpoint =
  ({ db, receiver }: Telling) =>
  async (respond?: Respond, clock: Clock = systemClock()): Promise<OneEndpoint> => {
    const { receiver: receiving, books } = await receiver(respond)
    const { webhookId } = await books.endpoint({ url: receiving.url })
    const ports = {
      ...webhookPorts(db()),
      messages: webhookMessages(db()),
      clock,
    }
    const routes = [...webhookMessageRoutes(ports), ...webhooks(ports)]
    const call = caller(routes, { businessId: books.businessId })
    const path = `/webhooks/${webhookId}` as const
    const listed = async () => (await call(`GET ${path}/messages`)).body.items
    return { receiving, books, call, path, webhookId, listed }
  }

/** The sequence number, and that of the delivery before it. */
export const numbersOf = ({ headers }: Received): readonly [number, number] => [
  Number(headers['sluice-sequence']),
  Number(headers['sluice-previous']),
]

export const flatHeaders = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
