import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestText } from '../support/edge/talk.ts'
import { timesOf } from '../support/run/long.ts'
import { world } from './world.ts'

// More of them: FUZZ_RUNS=200 npx vitest run --config test/vitest.config.ts test/e2e/memory
const numRuns = Math.ceil(timesOf('FUZZ_RUNS', { short: 40, long: 150 }) / 10)
const at = world({ NODE_OPTIONS: '--max-old-space-size=256' })

/** What one connection sends: a head, then the same piece over and over until `bytes` are sent. */
interface Pour {
  readonly head: string
  readonly piece: Buffer
  readonly bytes: number
  readonly end: string
  /** Between two writes. */
  readonly pauseMs: number
  readonly deaf: boolean
}

const bytesMax = 6 * 1024 * 1024
const filling = fc.constantFrom(
  ...['x', '[', '[],', '{},', '1,', '"\\u00e9",', '{"a":', '\xff', ' '],
  ...[`{"event_id":"a","customer_id":"cus_1","event_name":"${'e'.repeat(200)}"},`, '\0'],
)

/** Bodies of any size in pieces of any size, announced or in chunks, slow or at once. */
const bodies: fc.Arbitrary<Pour> = fc
  .record({
    filling,
    size: fc.constantFrom(1, 2, 7, 64, 255, 1_400, 16_384, 100_000),
    bytes: fc.constantFrom(1, 4_096, 131_072, 4 * 1024 * 1024, bytesMax),
    chunked: fc.boolean(),
    path: fc.constantFrom('/events/ingest', '/customers', '/nowhere'),
    pauseMs: fc.constantFrom(0, 0, 0, 5, 1_000),
    complete: fc.boolean(),
    deaf: fc.boolean(),
  })
  .map(({ filling, size, bytes, chunked, path, pauseMs, complete, deaf }) => {
    const text = filling.repeat(Math.ceil(size / filling.length)).slice(0, size)
    const framing = chunked
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(complete ? Math.ceil(bytes / size) * size : bytes * 2) }
    const head = requestText('POST', path, { headers: { ...keyed(), ...framing } })
    const piece = chunked ? `${size.toString(16)}\r\n${text}\r\n` : text
    const end = chunked && complete ? '0\r\n\r\n' : ''
    return { head, piece: Buffer.from(piece, 'latin1'), bytes, end, pauseMs, deaf }
  })

/** Small bodies that become large ones. */
const bombs: fc.Arbitrary<Pour> = fc
  .tuple(filling, fc.integer({ min: 1, max: 5 * 1024 * 1024 }))
  .map(([text, size]) => {
    const body = gzipSync(Buffer.alloc(size, text))
    const headers = {
      ...keyed(),
      'Content-Encoding': 'gzip',
      'Content-Length': String(body.length),
    }
    const head = requestText('POST', '/events/ingest', { headers })
    return { head, piece: body, bytes: body.length, end: '', pauseMs: 0, deaf: false }
  })

/** Requests one behind the other, whose answers may stay unread; and large heads. */
const trains: fc.Arbitrary<Pour> = fc
  .record({
    path: fc.constantFrom('/nowhere', '/customers?page_size=100', '/'),
    method: fc.constantFrom('GET', 'HEAD', 'DELETE', 'OPTIONS'),
    header: fc.constantFrom(0, 100, 3_000, 15_000, 200_000),
    bytes: fc.constantFrom(10_000, 1_000_000, bytesMax),
    deaf: fc.boolean(),
  })
  .map(({ path, method, header, bytes, deaf }) => {
    const piece = requestText(method, path, { headers: { ...keyed(), X: 'x'.repeat(header) } })
    return { head: '', piece: Buffer.from(piece), bytes, end: '', pauseMs: 0, deaf }
  })

const wave = fc.tuple(
  fc.oneof({ weight: 3, arbitrary: bodies }, bombs, trains),
  fc.constantFrom(1, 8, 64, 300),
)

const keyed = (): Record<string, string> => ({
  Authorization: `Bearer ${at.keys.write}`,
  'Content-Type': 'application/json',
})

/** Sends it, as far as the server lets it, for a short time. */
async function pour({ head, piece, bytes, end, pauseMs, deaf }: Pour, until: number) {
  const { hostname, port } = new URL(at.url())
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  if (deaf) socket.pause()
  else socket.resume()
  const step =
    pauseMs > 0
      ? piece
      : Buffer.alloc(Math.max(piece.length, 65_536 - (65_536 % piece.length)), piece)
  socket.write(head)
  for (let sent = 0; sent < bytes && Date.now() < until && !socket.destroyed; sent += step.length) {
    if (socket.write(step)) await sleep(pauseMs)
    else await Promise.race([drained(socket), sleep(Math.max(until - Date.now(), 0))])
  }
  socket.write(end)
  await sleep(Math.min(300, Math.max(until - Date.now(), 0)))
  socket.destroy()
}

function drained(socket: ReturnType<typeof connect>): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve)
    socket.once('close', () => resolve())
  })
}

describe('a process with a heap of 256 MB', { timeout: 900_000 }, () => {
  it('outlives whatever is sent to it, in pieces of any size, and serves on', async () => {
    const { pid } = at.server.child
    const strike = async (waves: readonly (readonly [Pour, number])[]) => {
      const until = Date.now() + 2_000
      const all = waves.flatMap(([one, count]) => Array.from({ length: count }, () => one))
      await Promise.all(all.map((one) => pour(one, until)))
      expect(at.server.child.exitCode, at.logged.slice(-2_000)).toBeNull()
      const answered = async () => (await at.call('GET /customers')).status
      await expect.poll(answered, { timeout: 60_000 }).toBe(200)
    }
    await fc.assert(fc.asyncProperty(fc.array(wave, { minLength: 1, maxLength: 3 }), strike), {
      numRuns,
      endOnFailure: true,
    })
    expect(at.server.child.pid).toBe(pid)
    await expect
      .poll(async () => (await at.metrics()).get('sluice_ingest_inflight_bytes') ?? 0)
      .toBe(0)
  })
})
