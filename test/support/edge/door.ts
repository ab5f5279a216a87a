import { byteBudget } from '../../../src/edge/http/budget.ts'
import type { RateCounters } from '../../../src/edge/http/rates.ts'
import type { Route } from '../../../src/edge/http/route.ts'
import { openHttpServer } from '../../../src/edge/http/server.ts'
import type { Uws, UwsRequest, UwsResponse } from '../../../src/edge/http/uws-surface.ts'
import { hashOfApiKey, mayBeApiKey, newApiKey } from '../../../src/runtime/api-key.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { instantOfMs, minute } from '../../../src/std/instant.ts'

/** A request as it comes from a socket. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array | null
}

export type Header = readonly [name: string, value: string]

/** Takes a request in, and resolves with the status line of its answer when that is written. */
export type Door = (sent: Sent) => Promise<string>

/** A key of test mode that the door knows, and that may always write. */
const key = newApiKey('test', 'write')
export const authorized: Header = ['authorization', `Bearer ${key}`]

const keyHash = Buffer.from(hashOfApiKey(key))
const record = {
  keyId: 'key_door',
  businessId: 'bus_door',
  mode: 'test',
  access: 'write',
  // Limited, but never refused.
  rateTier: '1000000/60000000',
  clockAheadUs: 0,
  backfillUs: 0,
  revoked: false,
} as const

/** Our edge behind an HTTP engine that has no sockets. */
export async function openDoor(
  routes: readonly Route[],
  counters: RateCounters | null,
): Promise<Door> {
  let take: (res: UwsResponse, req: UwsRequest) => void = () => undefined
  const uws: Uws = {
    App: () => ({
      any: (_pattern, handler) => {
        take = handler
      },
      listen: (_host, _port, _options, done) => done({}),
      listen_unix: (done) => done({}),
    }),
    us_listen_socket_close: () => undefined,
    us_socket_local_port: () => 1,
  }
  const nothing = (): void => undefined
  await openHttpServer({
    engine: { kind: 'uws_official', description: '', why: null, uws },
    host: '',
    listeners: [{ port: 0, mode: 'test' }],
    routes,
    keys: {
      mayExist: mayBeApiKey,
      find: async (hash) => (keyHash.equals(hash) ? record : null),
    },
    maxStale: 15 * minute,
    counters,
    trustedProxies: ['127.0.0.1'],
    corsOrigins: [],
    budget: byteBudget(2 ** 30),
    clock: { now: () => instantOfMs(performance.timeOrigin + performance.now()) },
    newId: randomIds(),
    logger: openLogger({ level: 'fatal', part: 'door' }),
    metrics: { rateLimited: nothing, request: nothing },
  })
  return (sent) => new Promise((done) => take(responseOf(sent, done), requestOf(sent)))
}

const requestOf = ({ headers, method, path }: Sent): UwsRequest => ({
  getUrl: () => path,
  getQuery: () => '',
  getMethod: () => method,
  forEach: (each) => {
    for (const [name, value] of headers) each(name, value)
  },
})

const out = Buffer.alloc(4_096)
const peer = new TextEncoder().encode('127.0.0.1').buffer

/** Copies what is written, as an engine does. */
function responseOf({ body }: Sent, done: (status: string) => void): UwsResponse {
  let at = 0
  let status = ''
  const put = (text: string): void => {
    at += out.write(text, at, 'latin1')
  }
  const end = (): void => done(status)
  return {
    writeStatus(line) {
      status = line
      put(line)
    },
    writeHeader(name, value) {
      put(name)
      put(value)
    },
    end,
    write: () => true,
    tryEnd(chunk) {
      put(chunk as string)
      end()
      return [true, true]
    },
    onWritable: () => undefined,
    endWithoutBody: end,
    cork: (write) => write(),
    onAborted: () => undefined,
    onData: (take) => {
      // In the turn behind, as it comes from a socket.
      if (body !== null) queueMicrotask(() => take(body.buffer as ArrayBuffer, true))
    },
    close: end,
    pause: () => undefined,
    getRemoteAddressAsText: () => peer,
  }
}
