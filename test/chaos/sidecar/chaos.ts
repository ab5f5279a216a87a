import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api.ts'
import { openApi } from '../api.ts'
import type { ChaosOptions, ChaosResult } from '../chaos.ts'
import { nothingSent } from '../clients.ts'
import type { Difference } from '../differences.ts'
import { difference } from '../differences.ts'
import type { Life } from '../life.ts'
import { openLife } from '../life.ts'
import { processesNaming } from '../processes.ts'
import type { Random } from '../random.ts'
import { randomFrom } from '../random.ts'
import type { ChaosServer } from '../server.ts'
import { freePorts, openChaosServer } from '../server.ts'
import { runVerify } from '../verifying.ts'
import { sidecarFaults } from './faults.ts'
import { startSenders } from './senders.ts'

/** What the clients send to, and what it stands on. */
interface Sidecar extends Life {
  readonly url: string
  readonly opsUrl: string
  readonly spoolDir: string
}

/** Breaks a loaded sidecar and its server in turn, and compares what was answered and counted. */
export async function sidecarChaos(options: ChaosOptions): Promise<ChaosResult> {
  const began = performance.now()
  const random = randomFrom(options.seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-chaos-'))
  const server = await openChaosServer(dataDir, random.stream('ports'))
  let sidecar: Sidecar | null = null
  try {
    const ready = await server.start()
    const key = ready['api_key'] ?? ''
    const api = openApi({ url: () => server.url, key })
    sidecar = await openSidecar(dataDir, { upstream: server.url, key, random })
    await sidecar.start()
    const shop = await shopOf(api)
    const sent = nothingSent()
    const senders = startSenders({ url: sidecar.url, customerId: shop.customerId, sent }, options)
    const broken = await breakBoth({ server, sidecar, random }, options)
    options.progress('load ends')
    const ids = await senders.stop()
    const differences = [
      ...(await compare({ api, server, sidecar, shop, expected: ids.size })),
      ...[...server.crashes, ...sidecar.crashes].map((what) =>
        difference('a process', 'lives on', what),
      ),
    ]
    const { verify, said } = await runVerify({ DATA_DIR: join(dataDir, 'data') })
    if (verify === 'failed') differences.push(difference('sluice verify', 'passes', said))
    differences.push(...(await ended(sidecar, server)))
    if (differences.length === 0) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    return {
      seed: options.seed,
      seconds: Math.round((performance.now() - began) / 1_000),
      sent,
      accepted: ids.size,
      unanswered: 0,
      webhooks: 0,
      ...broken,
      missed: [],
      differences,
      verify,
      dataDir: differences.length === 0 ? null : dataDir,
    }
  } finally {
    if (sidecar?.running === true) await sidecar.kill()
    if (server.running) await server.kill()
  }
}

interface SidecarSite {
  readonly upstream: string
  readonly key: string
  readonly random: Random
}

async function openSidecar(dataDir: string, site: SidecarSite): Promise<Sidecar> {
  const [port = 0, opsPort = 0] = await freePorts(2, site.random.stream('sidecar ports'))
  const spoolDir = join(dataDir, 'spool')
  const life = openLife({
    environment: {
      SIDECAR_UPSTREAM: site.upstream,
      SIDECAR_KEY: site.key,
      SIDECAR_LISTEN: `127.0.0.1:${port}`,
      SPOOL_DIR: spoolDir,
      OPS_PORT: String(opsPort),
    },
    roles: null,
    command: 'sidecar',
    orders: join(dataDir, 'sidecar-orders.json'),
    log: join(dataDir, 'sidecar.log'),
    startsWithinMs: 300_000,
  })
  return Object.assign(life, {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    spoolDir,
  })
}

interface Shop {
  readonly customerId: string
  readonly creditId: string
}

const startingCredits = 1_000_000

/** A customer whose balance says how many events were counted: each costs one credit. */
async function shopOf(api: Api): Promise<Shop> {
  const person = { name: 'Side Car', email: 'side@example.com' }
  const customerId = String((await api.made('/customers', person))['customer_id'])
  const meter = await api.made('/meters', {
    name: 'Calls',
    event_name: 'sidecar.call',
    aggregation: { type: 'count' },
    measurement_unit: 'call',
  })
  const credit = await api.made('/credit-entitlements', {
    name: 'Calls',
    unit: 'call',
    precision: 0,
    rollover_enabled: false,
    overage_enabled: false,
    meter_links: [{ meter_id: meter['id'], meter_units_per_credit: '1', free_threshold: 0 }],
  })
  const creditId = String(credit['id'])
  await api.made(`/credit-entitlements/${creditId}/balances/${customerId}/ledger-entries`, {
    entry_type: 'credit',
    amount: String(startingCredits),
    reason: 'to count with',
  })
  return { customerId, creditId }
}

async function breakBoth(
  scene: { readonly server: Life; readonly sidecar: Life; readonly random: Random },
  { faults, minutes, progress }: ChaosOptions,
): Promise<Pick<ChaosResult, 'faults' | 'kills'>> {
  const random = scene.random.stream('faults')
  const counts = new Map<string, number>()
  const count = typeof faults === 'number' ? faults : faults.length
  const deadline = performance.now() + minutes * 60_000
  let kills = 0
  for (let number = 0; number < count && performance.now() < deadline; number += 1) {
    const wanted = typeof faults === 'number' ? null : faults[number]
    const fault = sidecarFaults.find(({ name }) => name === wanted) ?? random.pick(sidecarFaults)
    progress(`${number + 1}/${count} ${fault.name}`)
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
    if (fault.kills) kills += 1
    await fault.strike(scene[fault.of], random)
    await sleep(random.between(50, 800))
  }
  return { faults: counts, kills }
}

const restMs = 600_000

interface Compared {
  readonly api: Api
  readonly server: ChaosServer
  readonly sidecar: Sidecar
  readonly shop: Shop
  readonly expected: number
}

async function compare(parts: Compared): Promise<Difference[]> {
  const { api, sidecar, shop, expected } = parts
  const deadline = performance.now() + restMs
  let [left, counted, stable] = [Number.NaN, Number.NaN, 0]
  // It must stay as it is: what comes twice comes late.
  while (performance.now() < deadline && stable < 10) {
    await sleep(200)
    left = await gauge(sidecar, 'spool_events')
    counted = startingCredits - Number(await balanceOf(api, shop))
    stable = left === 0 && counted >= expected ? stable + 1 : 0
  }
  const dead = readFileSync(join(sidecar.spoolDir, 'dead.ndjson'), 'utf8')
  return [
    difference('events left in the spool', 0, left),
    difference('events counted', expected, counted),
    difference('dead letters', 0, dead === '' ? 0 : dead.slice(0, 500)),
  ].filter(({ expected, found }) => expected !== found)
}

async function balanceOf(api: Api, { customerId, creditId }: Shop): Promise<unknown> {
  const path = `/credit-entitlements/${creditId}/balances/${customerId}`
  return (await api.got(path))['balance']
}

async function gauge({ opsUrl }: Sidecar, name: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return Number(new RegExp(`^sluice_sidecar_${name} (.*)$`, 'm').exec(text)?.[1])
}

async function ended(sidecar: Life, server: ChaosServer): Promise<readonly Difference[]> {
  const statuses = [(await sidecar.terminate()).status, (await server.terminate()).status]
  return [
    difference('exit statuses at the end', '0,0', statuses.join()),
    difference('processes left behind', 0, processesNaming(server.dataDir).length),
  ].filter(({ expected, found }) => expected !== found)
}
