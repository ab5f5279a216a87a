import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startLoad } from '../../bench/harness/load.ts'
import { onEnd } from '../../bench/harness/processes.ts'
import type { Site } from '../../bench/harness/site.ts'
import { openSink } from '../../bench/macro/soak/sink.ts'
import { freePort } from '../../test/support/servers/ports.ts'

/** What goes on while pictures are taken: load, and one of everything that a panel shows. */
export interface Scene {
  /** `host:port` of the sidecar's metrics. */
  readonly sidecar: string
  /** Where it takes events. */
  readonly sidecarUrl: string
  readonly sidecarPid: number
  stop(): Promise<void>
}

// Relative to dist/deploy/pictures.
const entry = fileURLToPath(new URL('../../../src/start.js', import.meta.url))

export interface SceneOptions {
  /** Whether an endpoint is among them that nobody listens on. */
  readonly deaf: boolean
  readonly spoolMax: string
  /** Events a second, besides those of the sidecar. */
  readonly rate?: number
}

export async function openScene(
  site: Site,
  folder: string,
  { deaf, spoolMax, rate = 2_000 }: SceneOptions,
): Promise<Scene> {
  const sink = await openSink()
  await site.call('POST', '/webhooks', { body: { url: sink.url } })
  if (deaf) {
    // Its attempts fail, and its deliveries stay.
    const url = `http://127.0.0.1:${await freePort()}/`
    await site.call('POST', '/webhooks', { body: { url } })
  }
  const sidecar = await startSidecar(site, folder, spoolMax)
  const load = await startLoad({
    workload: site.workload('p', 50),
    url: site.url,
    apiKey: site.apiKey,
    connections: 4,
    eventsMax: Number.MAX_SAFE_INTEGER,
    rate,
    deadlineMs: 3_600_000,
  })
  let over = false
  const playing = play(site, sidecar.url, () => over)
  return {
    sidecar: sidecar.ops,
    sidecarUrl: sidecar.url,
    sidecarPid: sidecar.pid,
    async stop() {
      over = true
      await playing
      await load.stop()
      await sidecar.stop()
      await sink.close()
    },
  }
}

/** Commands, reads, repeats, refusals, and events by the sidecar, some of each every second. */
async function play(site: Site, sidecarUrl: string, isOver: () => boolean): Promise<void> {
  const customer = site.quiet[0] ?? ''
  const ledger = `/credit-entitlements/${site.entitlementId}/balances/${customer}/ledger-entries`
  for (let round = 0; !isOver(); round += 1) {
    const body = { entry_type: 'credit', amount: '5', reason: 'For the picture.' }
    await Promise.allSettled([
      site.call('POST', ledger, { body }),
      site.call('GET', '/customers'),
      site.call('GET', '/events?page_size=10'),
      post(
        `${site.url}/events/ingest`,
        [event(site, `again_${Math.floor(round / 4)}`)],
        site.apiKey,
      ),
      post(`${sidecarUrl}/events/ingest`, many(site, `sidecar_${round}_`, 100)),
      // Without a key: after twenty in a second an address is refused by the rate limit.
      ...Array.from({ length: 30 }, () => fetch(`${site.url}/customers`)),
      ...(round % 5 === 0 ? [rename(site, round)] : []),
    ])
    await sleep(500)
  }
}

/** A meter more: measuring measures again what it has begun under the catalogue before. */
const rename = (site: Site, round: number): Promise<unknown> => {
  const aggregation = { type: 'count' }
  const body = { name: `Calls ${round}`, aggregation, event_name: 'rare', measurement_unit: 'unit' }
  return site.call('POST', '/meters', { body })
}

const event = (site: Site, id: string) => ({
  event_id: id,
  customer_id: site.quiet[1] ?? '',
  event_name: id.startsWith('sidecar') ? 'completion.done' : 'unheard.of',
  metadata: { tokens: 7, model: 'small' },
})

const many = (site: Site, prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => event(site, `${prefix}${index}`))

function post(url: string, events: readonly object[], key?: string): Promise<Response> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ events }) })
}

async function startSidecar(site: Site, folder: string, spoolMax: string) {
  const [port, opsPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [entry, 'sidecar', '--json'], {
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      SIDECAR_UPSTREAM: site.url,
      SIDECAR_KEY: site.apiKey,
      SIDECAR_LISTEN: `127.0.0.1:${port}`,
      SPOOL_DIR: join(folder, 'spool'),
      SPOOL_MAX: spoolMax,
      OPS_PORT: `${opsPort}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const forget = onEnd(() => child.kill('SIGKILL'))
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  await Promise.race([new Promise((done) => child.stdout?.once('data', done)), ended])
  return { url: `http://127.0.0.1:${port}`, ops: `127.0.0.1:${opsPort}`, pid: child.pid ?? 0, stop }

  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    await ended
    forget()
  }
}
