import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../src/limits.ts'
import { startLoad } from '../harness/load.ts'
import { startParts } from '../harness/parts.ts'
import type { Figure, Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { eventName } from '../harness/workload.ts'
import { openBooks, worthOf } from './books.ts'
import type { Watched } from './watching.ts'
import { mebibyte, metric, watch } from './watching.ts'

const recoveryMs = 1_800_000

/** All roles in one process, on the embedded parts. */
export async function benchOverload(run: Run, minutes: number): Promise<Result> {
  const site = await openSite(run)
  const all = { name: 'server', pid: site.pid, opsUrl: site.opsUrl }
  const result = await overload(run, { minutes, site, processes: [all] })
  await site.stop()
  return { ...result, name: 'overload' }
}

/** One process for each kind of role, on Kafka, Redis and PostgreSQL. */
export async function benchDistributedOverload(run: Run, minutes: number): Promise<Result> {
  const parts = await startParts(run)
  const site = await (await openSite({ ...run, parts })).restarted('http')
  const beside = async (roles: string): Promise<Watched> => {
    const { pid, ready } = await site.beside(roles)
    return { name: roles, pid, opsUrl: ready['ops_url'] ?? '' }
  }
  const processes = [
    { name: 'http', pid: site.pid, opsUrl: site.opsUrl },
    await beside('billing'),
    await beside('sweeps,delivery,archive'),
  ]
  const result = await overload(run, { minutes, site, processes })
  await site.stop()
  await parts.stop()
  return { ...result, name: 'distributed-overload' }
}

interface Ground {
  readonly minutes: number
  readonly site: Site
  readonly processes: readonly Watched[]
}

/**
 * Sends far more than can be taken, for `minutes`: answers are 200 or 503 with `Retry-After`, the
 * memory of every process stays flat, and afterwards everything that was answered with 200 is
 * measured, settled and worth what it should be. Throws where one of these does not hold.
 */
async function overload(
  run: Run,
  { minutes, processes, site }: Ground,
): Promise<Omit<Result, 'name'>> {
  const books = await openBooks(site)
  const used = await books.used()
  const smoke = run.name === 'smoke'
  const load = await startLoad({
    workload: site.workload('o', smoke ? 100 : limits.eventsPerRequestMax),
    url: site.url,
    apiKey: site.apiKey,
    connections: smoke ? 16 : connections,
    eventsMax: 2 ** 31,
    rate: null,
    deadlineMs: minutes * 60_000 + 120_000,
    // A client that is still sending after its refusal is cut off.
    bearsResets: true,
  })
  const watching = watch(site, processes)
  const until = performance.now() + minutes * 60_000
  const answers = new Map<number, number>()
  let slowestMs = 0
  for (let turn = 0; performance.now() < until; turn += 1) {
    await watching.ask()
    const askedAt = performance.now()
    const status = await probe(site, turn)
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    await sleep(smoke ? 100 : 1_000)
  }
  const last = await load.stop()
  const seen = watching.stop()
  const stoppedAt = performance.now()
  while ((await probe(site, -1 - Math.floor(performance.now()))) !== 200) await late(stoppedAt)
  const servedMs = performance.now() - stoppedAt
  const lag = () => metric(processes, 'sluice_log_lag_events')
  while (!(await books.progress()).settled || (await lag()) > 0) await late(stoppedAt)
  const recoveredMs = performance.now() - stoppedAt
  const unaccounted = await metric(processes, 'sluice_unaccounted_events')
  const [worth, billed] = [worthOf(last.usage), (await books.used()) - used]
  await books.close()
  if (unaccounted !== 0 || billed !== worth) {
    throw new Error(`Of ${worth} thousandths ${billed} are billed, ${unaccounted} unaccounted for.`)
  }
  const figures: readonly Figure[] = [
    figure('accepted', last.events, ''),
    figure('503', last.refused, ''),
    figure('reset', last.reset, ''),
    figure('peak in flight', seen.inflightBytes / mebibyte, 'MiB'),
    figure('peak log', seen.logBytes / mebibyte, 'MiB'),
    figure('probes 200', answers.get(200) ?? 0, ''),
    figure('slowest probe', slowestMs, 'ms'),
    figure('slowest /metrics', seen.slowestMetricsMs, 'ms'),
    figure('served again after', servedMs, 'ms'),
    figure('all settled after', recoveredMs / 1_000, 's'),
  ]
  const lines: readonly Line[] = [{ label: `${minutes} min`, figures }, ...seen.memory]
  return { lines, goals: [], checksum: '' }
}

const connections = 640

async function late(since: number): Promise<void> {
  if (performance.now() - since > recoveryMs) throw new Error('The server does not recover.')
  await sleep(200)
}

/** Sends one event of a customer that nobody bills, on a connection of its own. */
async function probe({ apiKey, quiet, url }: Site, turn: number): Promise<number> {
  const event = { event_id: `probe ${turn}`, customer_id: quiet[0], event_name: `not ${eventName}` }
  const answer = await fetch(`${url}/events/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [event] }),
  })
  await answer.arrayBuffer()
  const told = answer.status === 503 && Number(answer.headers.get('retry-after')) > 0
  if (answer.status !== 200 && !told) throw new Error(`A probe was answered ${answer.status}.`)
  return answer.status
}
