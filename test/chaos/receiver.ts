import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Random } from './random.ts'

/** What is known of one webhook-id, however often it came. */
export interface Told {
  readonly digest: string
  readonly type: string
  /** The ledger entry that it tells of; null for a low balance. */
  readonly entryId: string | null
  /** How often the receiver took it. */
  times: number
}

/** A business's endpoint, which checks every signature and remembers what it was told. */
export interface WebhookReceiver {
  readonly url: string
  readonly told: ReadonlyMap<string, Told>
  /** What happened and must never happen, in words. */
  readonly wrongs: readonly string[]
  readonly requests: number
  trust(secret: string): void
  close(): Promise<void>
}

/** Refuses some webhooks at their first attempt, so that there is something to repeat. */
export async function openWebhookReceiver(random: Random): Promise<WebhookReceiver> {
  const told = new Map<string, Told>()
  const wrongs: string[] = []
  let verifier: Webhook | null = null
  let requests = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests += 1
      const body = Buffer.concat(chunks).toString()
      response.writeHead(take(String(request.headers['webhook-id']), body, request.headers)).end()
    })
    // A server that is killed leaves half a request behind.
    request.on('error', () => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    told,
    wrongs,
    get requests() {
      return requests
    },
    trust: (secret) => {
      verifier = new Webhook(secret)
    },
    close,
  }

  function take(id: string, body: string, headers: NodeJS.Dict<string | string[]>): number {
    try {
      verifier?.verify(body, headers as Record<string, string>)
    } catch (error) {
      wrongs.push(`webhook ${id} has a wrong signature: ${error}`)
      return 401
    }
    const digest = createHash('sha256').update(body).digest('hex')
    const known = told.get(id)
    if (known === undefined) {
      const refused = random.chance(0.02)
      told.set(id, { ...read(body), digest, times: refused ? 0 : 1 })
      return refused ? 500 : 204
    }
    known.times += 1
    if (known.digest !== digest) wrongs.push(`webhook ${id} came with another body`)
    return 204
  }

  function close(): Promise<void> {
    server.closeAllConnections()
    return new Promise((done) => server.close(() => done()))
  }
}

function read(body: string): { readonly type: string; readonly entryId: string | null } {
  const { type, data } = JSON.parse(body) as { type: string; data: { id?: string } }
  return { type, entryId: data.id ?? null }
}
