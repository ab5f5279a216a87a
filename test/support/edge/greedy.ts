import { createHash, randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** What one business, or nobody at all, can do to be in everybody's way. */
export const greeds = [
  'catalog churn',
  'deep pages',
  'hang-ups',
  'inflation',
  'unknown keys',
] as const
export type Greed = (typeof greeds)[number]

export interface GreedyOptions {
  /** Asked for every request: it may move. */
  readonly url: () => string
  /** Of one business, which is all that it may harm. */
  readonly writeKey: string
  readonly readKey: string
  /** Of whom it sends events, too; null: others of its business send enough. */
  readonly customerId: string | null
}

export interface Greedy {
  /** Ends it, whatever is under way; how often each status was answered (0: nothing was). */
  stop(): Promise<Readonly<Record<string, number>>>
}

interface Ask {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Buffer
  /** Hangs up after so long. */
  readonly hangsUpMs?: number
}

interface Hands {
  /** The status; 0: none, for whatever reason. */
  ask(what: Ask): Promise<number>
  goesOn(): boolean
  readonly options: GreedyOptions
}

/** Asks for as much as it can get until it is told to stop. What it asks for ends with it. */
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
      // Whom nobody answers, or who is told to wait, does not try as fast as it can count.
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
  /** One request of one connection; its status. */
  readonly work: (hands: Hands, one: number, number: number) => Promise<number>
}

const deepPage = '/events?page_size=100&page_number=5000'
/** Some after a moment, in the middle of any statement; some when much has been done for them. */
const patienceMs = (one: number): number => (one < 10 ? 1 + one : 20 * (one - 9))

const json = { 'content-type': 'application/json' }
const zipped = { ...json, 'content-encoding': 'gzip' }

const ways: Readonly<Record<Greed, Way>> = {
  // Events of its own, so that its catalog is one that measuring needs, beside those who change it.
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
  // Each from an address of its own, where addresses are believed.
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

/** A meter can be archived so often and no more: then there are others. */
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

/** 4 KiB that are 4 MiB when they are read. */
const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, 0x20))

/** As much as may be in one request, of which the last event is wrong. */
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

/** Made up, and, if told so, made up as they are made here. */
function unknownKey(summed: boolean): string {
  const bare = `slc_test_rw_${randomBytes(32).toString('base64url')}`
  if (!summed) return bare
  return bare + createHash('sha256').update(`sum ${bare}`).digest('base64url').slice(0, 6)
}
