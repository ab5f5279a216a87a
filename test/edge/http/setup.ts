import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Form } from '../../../src/edge/http/form.ts'
import type { Route } from '../../../src/edge/http/route.ts'
import { created, noContent, ok, pageRoute, route } from '../../../src/edge/http/route.ts'
import type { HttpEngine } from '../../../src/edge/http/uws.ts'
import { loadHttpEngine, plainEngine } from '../../../src/edge/http/uws.ts'
import { Fault } from '../../../src/faults.ts'
import type { Talk } from '../../support/edge/talk.ts'
import { talk } from '../../support/edge/talk.ts'
import type { TestServer } from '../../support/edge/test-server.ts'
import { bearer, keys, testServer } from '../../support/edge/test-server.ts'

export const bodyBytesMax = 64 * 1024
export const write = { ...bearer(keys.write) }
export const json = { ...write, 'Content-Type': 'application/json' }

/** A handler that the tests hold open. */
export function gate() {
  const arrivals: (() => void)[] = []
  let open: () => void = () => undefined
  let entered = 0
  return {
    get entered() {
      return entered
    },
    arrived: () => new Promise<void>((resolve) => arrivals.push(resolve)),
    open: () => open(),
    wait: () =>
      new Promise<void>((resolve) => {
        entered += 1
        open = resolve
        for (const arrival of arrivals.splice(0)) arrival()
      }),
  }
}

export const held = gate()

export const routes: readonly Route[] = [
  route('GET', '/things', 'read', async (request) =>
    ok({ q: request.query('q'), header: request.header('x-many') }),
  ),
  route('POST', '/things', 'write', async ({ body }) => created({ got: body })),
  route('GET', '/things/:id', 'read', async (request) => ok({ id: request.param('id') })),
  route('DELETE', '/things/:id', 'write', async () => noContent),
  route('GET', '/things/new', 'read', async () => ok({ literal: true })),
  route('GET', '/open', 'public', async () => ok({ open: true })),
  pageRoute('GET', '/pages/one', async () => ok({ page: true })),
  pageRoute('POST', '/pages/form', async ({ body }) => ok([...(body as Form)])),
  route('GET', '/who', 'read', async ({ at, caller }) => ok({ at, caller })),
  route('GET', '/broken', 'read', async () => {
    throw new Error('secret detail')
  }),
  route('GET', '/conflict', 'read', async () => {
    throw new Fault('CONFLICT', 'It is there already.')
  }),
  route('GET', '/unwritable', 'read', async () => ok({ big: 1n })),
  route('GET', '/held', 'read', async () => {
    await held.wait()
    return ok({ held: true })
  }),
  route('GET', '/held/broken', 'read', async () => {
    await held.wait()
    throw new Fault('UNAVAILABLE', 'Nobody waits any more.')
  }),
  {
    ...route('GET', '/slow', 'read', () => new Promise(() => undefined)),
    handlerMs: 20,
  },
  route('GET', '/page', 'public', async () => ({
    status: 200,
    raw: '<h1>ä</h1>',
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })),
]

export const native = loadHttpEngine()
export const engines = native.kind === 'node_http' ? [native] : [native, plainEngine()]

/** A server for a suite; whatever a test does to it, it must serve afterwards. */
export interface Suite {
  readonly at: TestServer
  /** A bare connection, closed after the test. */
  raw(): Talk
  get(path: string, headers?: Record<string, string>): Promise<Response>
  post(body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>
}

export function suite(engine: HttpEngine, served: readonly Route[] = routes): Suite {
  let at: TestServer
  const talks: Talk[] = []
  beforeAll(async () => {
    at = await testServer(engine, served, {
      bodyBytesMax,
      timing: { deadlineStepMs: 5, bodyStallMs: 40, lingerStallMs: 20, lingerMs: 200 },
    })
  })
  afterEach(async () => {
    for (const open of talks.splice(0)) open.destroy()
    expect((await fetch(`${at.url}/open`)).status).toBe(200)
  })
  afterAll(() => at.server.stop(1_000))
  return {
    get at() {
      return at
    },
    raw() {
      const one = talk(at.port)
      talks.push(one)
      return one
    },
    get: (path, headers = write) => fetch(at.url + path, { headers }),
    post: (body, headers = {}) =>
      fetch(`${at.url}/things`, { method: 'POST', headers: { ...json, ...headers }, body }),
  }
}
