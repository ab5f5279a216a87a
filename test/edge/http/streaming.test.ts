import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/edge/http/route.ts'
import { ok, route } from '../../../src/edge/http/route.ts'
import { Fault } from '../../../src/faults.ts'
import { engines, routes, suite, write } from './setup.ts'

const mib = 1024 * 1024
const streamMax = 24 * mib
const seen = { began: 0, closed: 0, opened: 0, failed: '' }

/** Bytes that differ wherever two pieces could be swapped. */
const large = Buffer.alloc(20 * mib, 0)
for (let at = 0; at < large.length; at += 4) large.writeUInt32BE(at, at)
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function* inParts(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  seen.opened += 1
  try {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  } finally {
    seen.closed += 1
  }
}

const content = (bytes: number, open: () => AsyncIterable<Uint8Array> | null) => async () => ({
  status: 200,
  content: { bytes, open: async () => open() },
  headers: { 'Content-Type': 'application/octet-stream' },
})

const streaming: readonly Route[] = [
  ...routes,
  {
    ...route('POST', '/uploads', 'write', taken, 'stream'),
    streamBytesMax: streamMax,
  },
  route(
    'POST',
    '/uploads/unread',
    'write',
    async () => {
      throw new Fault('CONFLICT', 'No.')
    },
    'stream',
  ),
  route(
    'POST',
    '/bytes',
    'public',
    async ({ body }) => ok({ got: digest(body as Buffer) }),
    'bytes',
  ),
  route(
    'GET',
    '/large',
    'public',
    content(large.length, () => inParts(large, 256 * 1024)),
  ),
  route(
    'GET',
    '/empty',
    'public',
    content(0, () => inParts(Buffer.alloc(0), 1)),
  ),
  route(
    'GET',
    '/short',
    'public',
    content(200, () => inParts(Buffer.alloc(100), 10)),
  ),
  route(
    'GET',
    '/gone',
    'public',
    content(200, () => null),
  ),
  route(
    'GET',
    '/away',
    'public',
    content(200, () => {
      throw new Fault('UNAVAILABLE', 'The files are away.')
    }),
  ),
]

async function taken({ body }: { readonly body: unknown }) {
  const hash = createHash('sha256')
  let bytes = 0
  seen.began += 1
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      hash.update(piece)
      bytes += piece.length
      // Slower than the sender, so that the connection has to wait.
      if (bytes % (4 * mib) < piece.length) await new Promise((done) => setTimeout(done, 5))
    }
  } catch (error) {
    seen.failed = error instanceof Fault ? error.code : String(error)
    throw error
  }
  return ok({ bytes, digest: hash.digest('hex') })
}

describe.each(engines)('bodies that are streamed, on $kind', (engine) => {
  const with_ = suite(engine, streaming)
  const post = (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
    fetch(with_.at.url + path, {
      method: 'POST',
      headers: { ...write, ...headers },
      body,
      duplex: 'half',
    } as RequestInit)

  it('come whole, however large, to a reader that is slower', async () => {
    const answer = await post('/uploads', large)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ bytes: large.length, digest: digest(large) })
    const empty = await post('/uploads', '')
    expect(await empty.json()).toEqual({ bytes: 0, digest: digest(Buffer.alloc(0)) })
  })

  it('come whole in chunks, too', async () => {
    const some = large.subarray(0, 3 * mib)
    const stream = new ReadableStream({
      start(to) {
        for (let at = 0; at < some.length; at += 64 * 1024)
          to.enqueue(some.subarray(at, at + 65_536))
        to.close()
      },
    })
    const answer = await post('/uploads', stream)
    expect(await answer.json()).toEqual({ bytes: some.length, digest: digest(some) })
  })

  it('are refused for their size, by what they announce and by what comes', async () => {
    const talk = with_.raw()
    const head = `POST /uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${write.Authorization}\r\n`
    talk.send(`${head}Content-Length: ${streamMax + 1}\r\n\r\nabc`)
    expect((await talk.answer()).status).toBe(413)
    const stream = new ReadableStream({
      pull(to) {
        to.enqueue(large.subarray(0, mib))
      },
    })
    const status = await post('/uploads', stream).then(
      (answer) => answer.status,
      () => 'hung up',
    )
    expect([413, 'hung up']).toContain(status)
    expect(seen.failed).toBe('REQUEST_TOO_LARGE')
  })

  it('end for their reader when the sender hangs up, or says no more', async () => {
    const head = `POST /uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${write.Authorization}\r\n`
    seen.failed = ''
    const talk = with_.raw()
    const began = seen.began
    talk.send(`${head}Content-Length: 1000\r\n\r\nabc`)
    await expect.poll(() => seen.began).toBe(began + 1)
    talk.destroy()
    await expect.poll(() => seen.failed).toBe('REQUEST_TIMEOUT')
    seen.failed = ''
    const silent = with_.raw()
    silent.send(`${head}Content-Length: 1000\r\n\r\nabc`)
    expect((await silent.answer()).status).toBe(408)
    expect(seen.failed).toBe('REQUEST_TIMEOUT')
  })

  it('are judged before they are read', async () => {
    expect((await post('/uploads', 'x', { Authorization: 'Bearer sk_test_read' })).status).toBe(403)
    expect((await post('/uploads', 'x', { Authorization: 'Bearer none' })).status).toBe(401)
    expect((await post('/uploads/unread', 'x'.repeat(10_000))).status).toBe(409)
  })

  it('of any kind are handed on as bytes, within the bound of all bodies', async () => {
    const some = Buffer.from([0, 255, 10, 13])
    const answer = await post('/bytes', some, { 'Content-Type': 'image/png' })
    expect(await answer.json()).toEqual({ got: digest(some) })
    expect((await post('/bytes', Buffer.alloc(64 * 1024 + 1))).status).toBe(413)
  })
})

describe.each(engines)('answers that are read while they are sent, on $kind', (engine) => {
  const with_ = suite(engine, streaming)
  const get = (path: string, method = 'GET') => fetch(with_.at.url + path, { method })

  it('arrive whole, with their length', async () => {
    const answer = await get('/large')
    expect(answer.headers.get('content-length')).toBe(String(large.length))
    expect(digest(new Uint8Array(await answer.arrayBuffer()))).toBe(digest(large))
    expect((await (await get('/empty')).arrayBuffer()).byteLength).toBe(0)
  })

  it('are not opened for HEAD', async () => {
    const before = seen.opened
    const answer = await get('/large', 'HEAD')
    expect(answer.headers.get('content-length')).toBe(String(large.length))
    expect(seen.opened).toBe(before)
  })

  it('close what they read from when the client leaves in the middle', async () => {
    await expect.poll(() => seen.opened - seen.closed).toBe(0)
    const before = seen.opened
    const talk = with_.raw()
    talk.send('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => seen.opened).toBe(before + 1)
    talk.destroy()
    await expect.poll(() => seen.opened - seen.closed).toBe(0)
  })

  it('are broken off where the rest of what was announced cannot be had', async () => {
    await expect(get('/short').then((answer) => answer.arrayBuffer())).rejects.toThrow()
  })

  it('announce nothing of which nothing can be had', async () => {
    for (const [path, status, code] of [
      ['/gone', 500, 'INTERNAL_SERVER_ERROR'],
      ['/away', 503, 'UNAVAILABLE'],
    ] as const) {
      const answer = await get(path)
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }])
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
    expect((await get('/away', 'HEAD')).status).toBe(200)
  })
})
