import fastify from 'fastify'
import type { PeerOrder } from './order.ts'
import type { PeerEvent, PeerRequest } from './usage-event.ts'
import { peerReceipt, peerRequest } from './usage-event.ts'

/** How a peer stores what it accepts. */
export interface Keeping {
  /** Which of `ids` are here for the first time; from then on they count as seen. */
  claim(ids: readonly string[]): Promise<readonly boolean[]>
  /** Takes claims back, so that a retry of what could not be appended is accepted. */
  release(ids: readonly string[]): Promise<void>
  /** Answers when all in-sync replicas have the events. */
  append(accepted: Accepted): Promise<void>
}

/** The new events of one request. */
export interface Accepted {
  readonly businessId: string
  /** The time of an event that has none, as RFC 3339. */
  readonly receivedAt: string
  readonly events: readonly PeerEvent[]
}

/** `POST /events/ingest` as a hand-written service has it. Tells its parent the port. */
export async function servePeer({ apiKey }: PeerOrder, keeping: Keeping): Promise<void> {
  const businessOf = new Map([[`Bearer ${apiKey}`, 'bus_bench']])
  const app = fastify({ logger: false, ajv: { customOptions: { allowUnionTypes: true } } })
  app.post<{ Body: PeerRequest }>(
    '/events/ingest',
    { schema: { body: peerRequest, response: peerReceipt } },
    async (request, reply) => {
      const businessId = businessOf.get(request.headers.authorization ?? '')
      if (businessId === undefined) {
        reply.code(401)
        return { code: 'UNAUTHORIZED', message: 'The key is not known.' }
      }
      return { ingested_count: await accept(keeping, businessId, request.body.events) }
    },
  )
  // Its parent is gone.
  process.on('disconnect', () => process.exit(0))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.({ url })
}

/** Answers how many of the events were new. */
async function accept(
  keeping: Keeping,
  businessId: string,
  events: readonly PeerEvent[],
): Promise<number> {
  const receivedAt = new Date().toISOString()
  const first = await keeping.claim(events.map(({ event_id }) => `${businessId}:${event_id}`))
  const fresh = events.filter((_, index) => first[index])
  if (fresh.length === 0) return 0
  try {
    await keeping.append({ businessId, receivedAt, events: fresh })
  } catch (error) {
    await keeping.release(fresh.map(({ event_id }) => `${businessId}:${event_id}`))
    throw error
  }
  return fresh.length
}
