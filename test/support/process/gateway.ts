import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands for a gateway, and does to the sidecar what gateways and networks do. */
export interface StubGateway {
  readonly url: string
  /** How often each id was sent in a request that was answered 200. */
  readonly taken: ReadonlyMap<string, number>
  readonly events: readonly StubEvent[]
  readonly keys: ReadonlySet<string>
  /** `take` answers as a gateway; `lost` takes events and hangs up; `hang` never answers. */
  mood: 'take' | 'lost' | 'hang' | { readonly status: number; readonly body?: unknown }
  close(): Promise<void>
}

export interface StubEvent {
  readonly event_id: string
  readonly customer_id: string
  readonly timestamp: string
}

export async function stubGateway(): Promise<StubGateway> {
  const taken = new Map<string, number>()
  const events: StubEvent[] = []
  const keys = new Set<string>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const gateway: StubGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    events,
    keys,
    mood: 'take',
    close() {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return gateway

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { mood } = gateway
    keys.add(request.headers.authorization ?? '')
    if (mood === 'hang') return
    if (typeof mood === 'object') return reply(response, mood.status, mood.body ?? {})
    const sent: readonly StubEvent[] = JSON.parse(Buffer.concat(chunks).toString()).events
    for (const event of sent) {
      taken.set(event.event_id, (taken.get(event.event_id) ?? 0) + 1)
      events.push(event)
    }
    if (mood === 'lost') request.socket.destroy()
    else reply(response, 200, { ingested_count: sent.length })
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
