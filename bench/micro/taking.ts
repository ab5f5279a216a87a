import type { Request } from '../../src/edge/http/route.ts'
import { ingestRoute } from '../../src/edge/ingest/ingest.ts'
import { instantOfMs } from '../../src/std/instant.ts'
import { ingestNeeds } from '../../test/support/edge/taking.ts'
import type { Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { Body, Workload } from '../harness/workload.ts'
import { bodiesOf, eventName, number } from '../harness/workload.ts'
import type { MicroSize } from './run.ts'
import { asChild } from './run.ts'

const batches = [100, 1] as const

/**
 * What taking an event costs from the bytes of its request to a record, without sockets, log and
 * dedupe: the same bodies by their bytes, and by the parser, which one more field makes them take.
 */
export async function benchTaking(size: MicroSize): Promise<Result> {
  const lines = []
  let ratio = 0
  for (const batch of batches) {
    const taking = openTaking(batch)
    const events = size === 'full' ? (batch === 1 ? 4_000 : 20_000) : batch * 10
    const windows = size === 'full' ? 25 : 2
    let [bytes, parsed] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // By turns: the machine's slow minutes hit both, and the best windows of each count.
    for (let window = 0; window < windows; window += 1) {
      bytes = Math.min(bytes, await taking.cost('bytes', events))
      parsed = Math.min(parsed, await taking.cost('parsed', events))
    }
    if (batch === 100) ratio = parsed / bytes
    lines.push({
      label: `batch ${batch}`,
      figures: [figure('by its bytes', bytes, 'µs'), figure('parsed', parsed, 'µs')],
    })
  }
  const name = 'parsed over taken by its bytes, batch 100'
  const goals = [{ name, value: ratio, unit: '×', target: 1.5, better: 'more' }] as const
  return { name: 'micro: taking', lines, goals, checksum: '' }
}

/** Requests that are under way at once. */
const under = { 1: 128, 100: 16 } as const

function openTaking(batch: (typeof batches)[number]) {
  const route = ingestRoute(ingestNeeds())
  const own = bodiesOf(workloadOf(batch))
  const bodies = { bytes: own, parsed: own.map(withField) }
  let next = 0
  return { cost }

  /** CPU µs an event. */
  async function cost(way: keyof typeof bodies, events: number): Promise<number> {
    const end = next + events
    const before = process.cpuUsage()
    await Promise.all(
      Array.from({ length: under[batch] }, async () => {
        while (next < end) await takeOne(bodies[way])
      }),
    )
    const { system, user } = process.cpuUsage(before)
    return (user + system) / events
  }

  async function takeOne(from: readonly Body[]): Promise<void> {
    const body = from[Math.floor(next / batch) % from.length]
    if (body === undefined) throw new Error('There are no bodies.')
    number(body, next)
    next += batch
    const { status } = await route.handler(requestOf(Buffer.from(body.bytes)))
    if (status !== 200) throw new Error('The body was refused.')
  }
}

const instantMs = (): number => Math.floor(performance.timeOrigin + performance.now())

/** The same events behind a field that nobody knows, which the scanner leaves to the parser. */
function withField({ bytes, places, usage }: Body): Body {
  const start = '{"more":0,'
  const text = start + bytes.toString('latin1').slice(1)
  const moved = places.map((place) => place + start.length - 1)
  return { bytes: Buffer.from(text, 'latin1'), places: moved, usage }
}

export const workloadOf = (batch: number): Workload => ({
  customers: Array.from({ length: 1_010 }, (_, index) => `cus_${String(index).padStart(24, '0')}`),
  eventName,
  timestamp: new Date(instantMs()).toISOString(),
  idPrefix: 'evt_taking0000000000000',
  batch,
})

function requestOf(body: Buffer): Request {
  return {
    id: 'req_bench',
    method: 'POST',
    path: '/events/ingest',
    caller: {
      keyId: 'key_bench',
      businessId: 'bus_bench',
      mode: 'test',
      access: 'write',
      clockAhead: 0,
      backfill: 0,
    },
    mode: 'test',
    at: instantOfMs(instantMs()),
    param: () => '',
    query: () => null,
    header: () => null,
    queried: () => [],
    body,
    address: null,
    onOver: () => undefined,
  }
}

await asChild(import.meta.url, benchTaking)
