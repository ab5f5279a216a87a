import type { Result } from '../harness/result.ts'
import { figure, median } from '../harness/result.ts'
import { scratchDirectory, startServer } from '../harness/server.ts'
import type { Size } from '../harness/sizes.ts'

/**
 * `npm start` on a clean data directory, installed and built, until the first event is accepted.
 */
export async function benchStart(size: Size): Promise<Result> {
  const turns: Turn[] = []
  for (let turn = 0; turn < size.starts; turn += 1) turns.push(await turnOf())
  const of = (read: (turn: Turn) => number): number => median(turns.map(read))
  const firstMs = of((turn) => turn.acceptedMs)
  return {
    name: 'start',
    lines: [
      {
        label: 'clean data directory',
        figures: [
          figure(
            'ready',
            of((turn) => turn.readyMs),
            'ms',
          ),
          figure('first event', firstMs, 'ms'),
        ],
      },
      {
        label: 'the second time',
        figures: [
          figure(
            'ready',
            of((turn) => turn.againMs),
            'ms',
          ),
        ],
      },
    ],
    goals: [
      { name: 'start → first event', value: firstMs / 1_000, unit: 's', target: 2, better: 'less' },
    ],
    checksum: '',
  }
}

interface Turn {
  readonly readyMs: number
  readonly acceptedMs: number
  readonly againMs: number
}

async function turnOf(): Promise<Turn> {
  const scratch = scratchDirectory()
  const start = async () => {
    const at = performance.now()
    const server = await startServer({ dataDir: scratch.path })
    return { ...server, at, readyMs: performance.now() - at }
  }
  const first = await start()
  await sendFirst(first.ready['test_url'] ?? '', first.ready['api_key'] ?? '')
  const acceptedMs = performance.now() - first.at
  await first.stop()
  const second = await start()
  await second.stop()
  scratch.remove()
  return { readyMs: first.readyMs, acceptedMs, againMs: second.readyMs }
}

async function sendFirst(url: string, apiKey: string): Promise<void> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, init)
    if (!response.ok) throw new Error(`${path} was answered ${response.status}.`)
    return response.json()
  }
  const customer = { email: 'first@example.com', name: 'First' }
  const { customer_id } = (await post('/customers', customer)) as { readonly customer_id: string }
  const event = { event_id: 'evt_first', customer_id, event_name: 'completion.done' }
  await post('/events/ingest', { events: [event] })
}
