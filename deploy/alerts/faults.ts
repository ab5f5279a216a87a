import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from '../../bench/harness/site.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { freePort } from '../../test/support/servers/ports.ts'
import type { Scene } from '../pictures/scene.ts'
import { bentBooks, inBooks } from './bent-books.ts'
import { anHourAhead, slowEngine } from './bent-process.ts'
import type { Fault } from './fault.ts'
import { slowBodies } from './slow-bodies.ts'

/** Where faults take hold besides the site and its scene. */
export interface FaultPlaces {
  /** The file that says how wrong the clock of the site is. */
  readonly clock: string
  /** The port of the metrics of a server that is not there yet. */
  readonly slowOpsPort: number
}

/** What can be broken, and is mended again. */
export function faultsOf(site: Site, scene: Scene, places: FaultPlaces): readonly Fault[] {
  return [
    ...bentBooks(site),
    ...bentProcesses(site, places),
    {
      name: 'the database stands still',
      alerts: ['SluiceApiErrors', 'SluiceStoreSharesWaiting', 'SluiceBalancesLate'],
      strike: () =>
        stopped(databaseOf(site.dataDir), 40_000, () => {
          const reads = Array.from({ length: 5 }, () => site.call('GET', '/customers'))
          return Promise.allSettled(reads)
        }),
    },
    {
      name: 'the server stands still, again and again for a moment',
      alerts: ['SluiceEventLoopSlow'],
      async strike() {
        for (let time = 0; time < 15; time += 1) {
          await stopped([site.pid], 800)
          await sleep(400)
        }
      },
    },
    {
      name: 'the server stands still, while a sidecar is sent events',
      alerts: [
        ...['SluiceDown', 'SluiceNoGateway', 'SluiceSidecarWaits', 'SluiceSidecarOverdue'],
        'SluiceSidecarSpoolFills',
      ],
      strike: () => stopped([site.pid], 25_000, () => feed(scene.sidecarUrl, site.quiet[1] ?? '')),
    },
    {
      name: 'the sidecar stands still',
      alerts: ['SluiceSidecarDown'],
      strike: () => stopped([scene.sidecarPid], 15_000),
    },
    {
      name: 'a program sends usage of a customer that there is not',
      alerts: ['SluiceSidecarRefused'],
      strike: () => feed(scene.sidecarUrl, 'cus_nobody'),
    },
    {
      name: 'an endpoint is away',
      alerts: ['SluiceWebhooksPileUp', 'SluiceWebhookBacklog', 'SluiceWebhooksGivenUp'],
      strike: () => endpointAway(site),
    },
    {
      name: 'somebody changes the catalogue all the time',
      alerts: ['SluiceMeasuringHolds'],
      strike: () => catalogueChanges(site),
    },
  ]
}

/** Processes stand still for `ms`, in which `meanwhile` is done every 200 ms. */
async function stopped(
  pids: readonly number[],
  ms: number,
  meanwhile?: () => Promise<unknown>,
): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    for (let waited = 0; waited < ms; waited += 200) {
      void meanwhile?.().catch(() => undefined)
      await sleep(200)
    }
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

/** The server of a data directory, and the processes that it has begun. */
function databaseOf(dataDir: string): readonly number[] {
  const first = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]
  const main = Number(first)
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      return status.includes(`\nPPid:\t${main}\n`)
    } catch {
      return false
    }
  })
  return [main, ...children.map(Number)]
}

let fed = 0

async function feed(url: string, customer: string): Promise<void> {
  fed += 1
  const events = Array.from({ length: 100 }, (_, index) => ({
    event_id: `fed_${fed}_${index}`,
    customer_id: customer,
    event_name: 'unheard.of',
    metadata: { filling: 'x'.repeat(100) },
  }))
  await fetch(`${url}/events/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  })
}

async function endpointAway(site: Site): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}/`
  const { body } = await site.call<{ id: string }>('POST', '/webhooks', { body: { url } })
  for (let second = 0; second < 25; second += 1) {
    const ledger = `/credit-entitlements/${site.entitlementId}/balances/${site.quiet[0]}/ledger-entries`
    const credit = { entry_type: 'credit', amount: '5', reason: 'For the alert.' }
    await Promise.all([1, 2, 3, 4].map(() => site.call('POST', ledger, { body: credit })))
    await sleep(1_000)
  }
  // What would come after days: the last of the attempts.
  const last = sql`
    update deliveries set attempts = 7, schedule_start = 0, next_at = now()
    where webhook_id = ${body.id} and outcome is null
  `
  await inBooks(site, (db) => db.query(last))
  await sleep(12_000)
  await site.call('DELETE', `/webhooks/${body.id}`)
}

async function catalogueChanges(site: Site): Promise<void> {
  const aggregation = { type: 'count' }
  const until = performance.now() + 20_000
  // A business has room for so many.
  for (let count = 0; performance.now() < until && count < 1_800; count += 1) {
    const name = `Changing ${count}`
    const meter = { name, aggregation, event_name: name, measurement_unit: 'unit' }
    await site.call('POST', '/meters', { body: meter })
  }
}

function bentProcesses(site: Site, places: FaultPlaces): readonly Fault[] {
  return [
    {
      name: 'clients take their time over the largest bodies',
      alerts: ['SluiceBodiesPileUp', 'SluiceIngestRefused'],
      strike: () => slowBodies(site, 20),
    },
    {
      name: 'a process has no fast HTTP engine',
      alerts: ['SluiceSlowHttpEngine'],
      strike: () => slowEngine(places.slowOpsPort, 12_000),
    },
    {
      name: 'the clock of the server is an hour ahead',
      alerts: ['SluiceClockNotBelieved'],
      strike: () => anHourAhead(places.clock, 15_000),
    },
  ]
}
