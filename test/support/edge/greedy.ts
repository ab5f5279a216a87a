import { createHash, randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** The ways in which one business, or somebody without a key, can be in everybody's way. */
export const greeds = [
  'catalog churn',
  'deep pages',
  'hang-ups',
  'inflation',
  'unknown keys',
] as const
export type Greed = (typeof greeds)[number]

export interface GreedyOptions {
  /** Asked before every request: the server may move. */
  readonly url: () => string
  /** A key of the one business that this may harm. */
  readonly writeKey: string
  readonly readKey: string
  /** The customer of some of the events; null where others of its business send enough. */
  readonly customerId: string | null
}

export interface Greedy {
  /** Ends it, whatever is under way. Answers how often it got each status (0: no answer). */
  stop(): Promise<Readonly<Record<string, number>>>
}

interface Ask {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Buffer
  /** Hangs up after this time. */
  readonly hangsUpMs?: number
}

interface Hands {
  /** Answers the status; 0 where there was no answer, for whatever reason. */
  ask(what: Ask): Promise<number>
  goesOn(): boolean
  readonly options: GreedyOptions
}

/** Asks for as much as it can get until `stop`. */
export function startGreed(kind: Greed, options: GreedyOptions): Greedy {
  const agent = new Agent({ keepAlive: true })
  const answers = new Map<string, number>()
  let goesOn = true
  const hands: Hands = { ask, goesOn: () => goesOn, options }
  const { connections, work } = ways[kind]
  const all = Array.from({ length: connections }, async (_, one) => {
    for (let number = 0; goesOn; number += 1) {
      const status = await work(hands, one, number)
      answers.set(`${status}`, (answers.get(`${status}`) ?? 0) + 1)
      // Without this, refusals would be asked for again as fast as the loop can turn.
      if (status === 0 || status === 429 || status === 503) await sleep(10)
    }
  })
  return { stop }

  async function stop(): Promise<Readonly<Record<string, number>>> {
    goesOn = false
    agent.destroy()
    await Promise.all(all)
    return Object.fromEntries(answers)
  }

  function ask({ method, path, key, headers, body, hangsUpMs }: Ask): Promise<number> {
    return new Promise((resolve) => {
      const sent = request(`${options.url()}${path}`, {
        method,
        agent,
        headers: { authorization: `Bearer ${key}`, ...headers },
      })
      const timer = hangsUpMs === undefined ? null : setTimeout(() => sent.destroy(), hangsUpMs)
      sent.once('response', (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.on('error', () => resolve(0))
      sent.once('close', () => {
        if (timer !== null) clearTimeout(timer)
        resolve(0)
      })
      sent.end(body)
    })
  }
}

interface Way {
  readonly connections: number
  /** Sends one request of one connection, and answers its status. */
  readonly work: (hands: Hands, one: number, number: number) => Promise<number>
}

const deepPage = '/events?page_size=100&page_number=5000'
/**
 * How long a connection waits before it hangs up. Some do soon, in the middle of any statement;
 * some when much has been done for them.
 */
const patienceMs = (one: number): number => (one < 10 ? 1 + one : 20 * (one - 9))

const json = { 'content-type': 'application/json' }
const zipped = { ...json, 'content-encoding': 'gzip' }

const ways: Readonly<Record<Greed, Way>> = {
  // It sends events, too, so that its catalog is one that measuring needs while others change it.
  'catalog churn': {
    connections: 10,
    work: (hands, one, number) =>
      one < 2 && hands.options.customerId !== null ? sendOwn(hands) : churn(hands, one, number),
  },
  'deep pages': {
    connections: 20,
    work: ({ ask, options }) => ask({ method: 'GET', path: deepPage, key: options.readKey }),
  },
  'hang-ups': {
    connections: 20,
    work: ({ ask, options }, one) =>
      ask({ method: 'GET', path: deepPage, key: options.readKey, hangsUpMs: patienceMs(one) }),
  },
  inflation: {
    connections: 64,
    work: ({ ask, options }, _, number) => {
      const body = number % 2 === 0 ? bomb : swollen
      const headers = { ...zipped, 'content-length': body.length }
      return ask({ method: 'POST', path: '/events/ingest', key: options.writeKey, headers, body })
    },
  },
  // Each from an address of its own, where the server believes addresses.
  'unknown keys': {
    connections: 200,
    work: ({ ask }, _, number) => {
      const address = [10, ...randomBytes(3)].join('.')
      const headers = { 'x-forwarded-for': address }
      return ask({ method: 'GET', path: '/customers', key: unknownKey(number % 2 === 0), headers })
    },
  },
}

async function sendOwn({ ask, options }: Hands): Promise<number> {
  const events = [
    {
      event_id: randomBytes(12).toString('hex'),
      customer_id: options.customerId,
      event_name: 'greedy',
    },
  ]
  const body = Buffer.from(JSON.stringify({ events }))
  const headers = { ...json, 'content-length': body.length }
  const path = '/events/ingest'
  return ask({ method: 'POST', path, key: options.writeKey, headers, body })
}

/** How often a test archives a meter before it takes another: there is a limit for each meter. */
const togglesPerMeter = 380

async function churn(hands: Hands, one: number, number: number): Promise<number> {
  const { ask, options } = hands
  const key = options.writeKey
  const at = `${one}.${Math.floor(number / togglesPerMeter)}`
  const meter = meters.get(hands)?.get(at)
  if (meter === undefined) return create(hands, at)
  const path = `/meters/${meter}`
  return number % 2 === 1
    ? ask({ method: 'DELETE', path, key })
    : ask({ method: 'POST', path: `${path}/unarchive`, key })
}

const meters = new WeakMap<Hands, Map<string, string>>()

async function create(hands: Hands, at: string): Promise<number> {
  const { url, writeKey } = hands.options
  const body = {
    name: `Greedy ${at}`,
    event_name: `greedy ${at}`,
    measurement_unit: 'unit',
    aggregation: { type: 'count' },
  }
  const answer = await fetch(`${url()}/meters`, {
    method: 'POST',
    headers: { authorization: `Bearer ${writeKey}`, ...json },
    body: JSON.stringify(body),
  }).catch(() => null)
  const text = (await answer?.text().catch(() => '')) ?? ''
  if (answer?.ok !== true) return answer?.status ?? 0
  const of = meters.get(hands) ?? new Map<string, string>()
  meters.set(hands, of.set(at, (JSON.parse(text) as { readonly id: string }).id))
  return answer.status
}

/** 4 KiB that unpack to 4 MiB. */
const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, 0x20))

/** As many events as one request may hold, of which the last is wrong. */
const swollen = gzipSync(
  JSON.stringify({
    events: Array.from({ length: 1_000 }, (_, number) => ({
      event_id: `${number}`,
      customer_id: 'cus_greedy',
      event_name: number < 999 ? 'greedy' : '',
      metadata: { text: 'x'.repeat(100 + (number % 7)), number },
    })),
  }),
)

/** A key that was never made; with `summed` its checksum is right all the same. */
function unknownKey(summed: boolean): string {
  const bare = `slc_test_rw_${randomBytes(32).toString('base64url')}`
  if (!summed) return bare
  return bare + createHash('sha256').update(`sum ${bare}`).digest('base64url').slice(0, 6)
}
