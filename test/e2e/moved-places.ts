import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import { operated } from '../support/process/operator.ts'
import type { Environment, Outcome } from '../support/process/server.ts'
import type { Subscriber } from './plan.ts'

/** An event as a caller sends it. */
export interface SentEvent {
  readonly event_id: string
  readonly customer_id: string
  readonly event_name: string
  readonly metadata: { readonly n: number }
}

export const credits = 1_000_000_000

/** What a caller sees of an installation, wherever it has moved to. */
export function callerWith(key: () => string) {
  return { get, send, accepted, spentIn, statusAfter, messagesOf, eventsIn }

  function headers() {
    return { authorization: `Bearer ${key()}`, 'content-type': 'application/json' }
  }

  async function get(url: string, path: string): Promise<unknown> {
    return (await fetch(`${url}${path}`, { headers: headers() })).json()
  }

  /** `line` is the method and the path. */
  async function send(url: string, line: string, body?: unknown): Promise<void> {
    const [method = '', path = ''] = line.split(' ')
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${url}${path}`, { method, headers: headers(), ...sent })
    const text = await answer.text()
    expect([line, answer.status < 300, text]).toEqual([line, true, text])
  }

  /** Sends events, and answers the position behind them. */
  async function accepted(url: string, events: readonly SentEvent[]): Promise<string> {
    const body = JSON.stringify({ events })
    const answer = await fetch(`${url}/events/ingest`, { method: 'POST', headers: headers(), body })
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
    return answer.headers.get('sluice-position') ?? ''
  }

  async function spentIn(url: string, one: Subscriber): Promise<number> {
    const { balance } = (await get(url, balancePath(one))) as { balance: string }
    return credits - Number(balance)
  }

  async function statusAfter(url: string, one: Subscriber, position: string): Promise<number> {
    const asked = { ...headers(), 'sluice-after': position }
    return (await fetch(`${url}${balancePath(one)}`, { headers: asked })).status
  }

  async function messagesOf(url: string, webhookId: string): Promise<readonly string[]> {
    const { items } = (await get(url, `/webhooks/${webhookId}/messages?page_size=100`)) as {
      items: readonly { id: string }[]
    }
    return items.map(({ id }) => id)
  }

  /** How many different events of the customer can be read. */
  async function eventsIn(url: string, { customerId }: Subscriber): Promise<number> {
    const ids = new Set<string>()
    for (let page = 0; ; page += 1) {
      const query = `customer_id=${customerId}&page_size=100&page_number=${page}`
      const { items } = (await get(url, `/events?${query}`)) as { items: readonly SentEvent[] }
      for (const { event_id } of items) ids.add(event_id)
      if (items.length < 100) return ids.size
    }
  }
}

const balancePath = ({ creditId, customerId }: Subscriber): string =>
  `/credit-entitlements/${creditId}/balances/${customerId}`

/** Looks again and again; throws where the process `ended` has ended before. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  ended: Promise<Outcome>,
): Promise<void> {
  let over: Outcome | null = null
  void ended.then((outcome) => {
    over = outcome
  })
  while (!(await holds())) {
    if (over !== null) throw new Error(`It ended before: ${(over as Outcome).error}`)
    await sleep(2)
  }
}

/** Whether an import has begun to change the place that these settings name. */
export async function claimed(environment: Environment): Promise<boolean> {
  const url = environment['DATABASE_URL'] ?? socketUrl(environment['DATA_DIR'] ?? '')
  if (url === null) return false
  const db = openDb({ url, connectionsMax: 1, name: 'moves' })
  try {
    await db.query({ text: 'select from import_claim', values: [] })
    return true
  } catch {
    return false
  } finally {
    await db.close()
  }
}

function socketUrl(directory: string): string | null {
  const file = join(directory, 'postgres', 'data', 'postmaster.pid')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  if (lines[7]?.startsWith('ready') !== true) return null
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(lines[4] ?? '')}&sslmode=disable`
}

/** The status and the document of `sluice verify`. */
export async function audited(
  environment: Environment,
): Promise<readonly [number | null, unknown]> {
  const { status, out } = await operated(environment, ['verify', '--json'])
  return [status, JSON.parse(out)]
}

/** The status and the last line that a command that failed says. */
export async function told(words: readonly string[], environment: Environment) {
  const { status, error } = await operated(environment, words)
  return [status, error.trim().split('\n').at(-1)]
}
