import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that an endpoint of a business has received. */
export interface Received {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly atMs: number
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** The most requests that were open at once. */
  readonly openMax: () => number
  /** Resolves when `count` requests have come since the beginning. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

export type Respond = (
  request: Received,
  response: ServerResponse,
  raw: IncomingMessage,
) => void | Promise<void>

export const answer =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (_request, response) => {
    response.writeHead(status, headers).end()
  }

/** A real server on loopback that keeps what it was sent. */
export async function openReceiver(respond: Respond = answer(200)): Promise<Receiver> {
  const received: Received[] = []
  const waiting: { count: number; done: () => void }[] = []
  let [open, most] = [0, 0]
  const server = createServer((raw, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    raw.on('data', (chunk: Buffer) => chunks.push(chunk))
    raw.on('end', () => {
      const request = {
        id: String(raw.headers['webhook-id']),
        method: raw.method ?? '',
        path: raw.url ?? '',
        headers: raw.headers,
        body: Buffer.concat(chunks).toString(),
        atMs: performance.now(),
      }
      received.push(request)
      void respond(request, response, raw)
      for (const one of waiting) if (received.length >= one.count) one.done()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    openMax: () => most,
    until,
    close,
  }

  function until(count: number): Promise<void> {
    if (received.length >= count) return Promise.resolve()
    return new Promise((done) => waiting.push({ count, done }))
  }

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
