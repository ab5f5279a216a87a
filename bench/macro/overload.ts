import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../src/limits.ts'
import { startLoad } from '../harness/load.ts'
import type { Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { eventName } from '../harness/workload.ts'
import { openBooks, worthOf } from './books.ts'

/** What one second of overload looked like. */
interface Moment {
  readonly residentBytes: number
  readonly logBytes: number
}

const mebibyte = 1024 * 1024
/** Bodies that wait are the edge's budget, twice: as bytes and as what is made of them. */
const growthMax = 2 * limits.inflightBytesMax
const recoveryMs = 600_000

/**
 * Far more than can be taken, for `minutes`: answers are 200 or 503 with `Retry-After`, memory
 * stays flat, and afterwards everything that was answered with 200 is measured, settled and worth
 * what it should be. Throws where one of these does not hold.
 */
export async function benchOverload(run: Run, minutes: number): Promise<Result> {
  const site = await openSite(run)
  const books = await openBooks(site)
  const used = await books.used()
  const smoke = run.name === 'smoke'
  const load = await startLoad({
    workload: site.workload('o', smoke ? 100 : limits.eventsPerRequestMax),
    url: site.url,
    apiKey: site.apiKey,
    connections: smoke ? 16 : 256,
    eventsMax: 2 ** 31,
    rate: null,
    deadlineMs: minutes * 60_000 + 120_000,
    // Who is still writing when a refusal is over is cut off.
    bearsResets: true,
  })
  const moments: Moment[] = []
  // By the clock, and not by the answers: who is overloaded answers late.
  const looking = setInterval(() => moments.push(momentOf(site)), 200)
  let inflight = 0
  const until = performance.now() + minutes * 60_000
  const answers = new Map<number, number>()
  for (let turn = 0; performance.now() < until; turn += 1) {
    inflight = Math.max(inflight, await metric(site, 'sluice_ingest_inflight_bytes'))
    const status = await probe(site, turn)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    await sleep(smoke ? 100 : 1_000)
  }
  const last = await load.stop()
  clearInterval(looking)
  refuseGrowth(moments, inflight)
  const stoppedAt = performance.now()
  while ((await probe(site, -1 - Math.floor(performance.now()))) !== 200) await late(stoppedAt)
  const servedMs = performance.now() - stoppedAt
  while (!(await books.progress()).settled || (await unmeasured(site)) > 0) await late(stoppedAt)
  const recoveredMs = performance.now() - stoppedAt
  const unaccounted = await metric(site, 'sluice_unaccounted_events')
  const [worth, billed] = [worthOf(last.usage), (await books.used()) - used]
  await books.close()
  await site.stop()
  if (unaccounted !== 0 || billed !== worth) {
    throw new Error(`Of ${worth} thousandths ${billed} are billed, ${unaccounted} unaccounted for.`)
  }
  const peak = (of: keyof Moment) => Math.max(...moments.map((moment) => moment[of])) / mebibyte
  const line = {
    label: `${minutes} min`,
    figures: [
      figure('accepted', last.events, ''),
      figure('503', last.refused, ''),
      figure('reset', last.reset, ''),
      figure('peak RSS', peak('residentBytes'), 'MiB'),
      figure('peak in flight', inflight / mebibyte, 'MiB'),
      figure('peak log', peak('logBytes'), 'MiB'),
      figure('probes 200', answers.get(200) ?? 0, ''),
      figure('served again after', servedMs, 'ms'),
      figure('all settled after', recoveredMs / 1_000, 's'),
    ],
  }
  return { name: 'overload', lines: [line], goals: [], checksum: '' }
}

/** The second half may be no larger than the first, but for what waits at its peak. */
function refuseGrowth(moments: readonly Moment[], inflight: number): void {
  const half = Math.floor(moments.length / 2)
  const peak = (some: readonly Moment[], of: keyof Moment) =>
    Math.max(0, ...some.map((moment) => moment[of]))
  const [before, after] = [moments.slice(0, half), moments.slice(half)].map((some) =>
    peak(some, 'residentBytes'),
  )
  if ((after ?? 0) > (before ?? 0) + growthMax) {
    throw new Error(`Memory grows: ${before} bytes in the first half, ${after} in the second.`)
  }
  if (inflight > limits.inflightBytesMax) throw new Error(`${inflight} bytes were in flight.`)
  if (peak(moments, 'logBytes') > limits.logBytesMax) throw new Error('The log is too large.')
}

async function late(since: number): Promise<void> {
  if (performance.now() - since > recoveryMs) throw new Error('The server does not recover.')
  await sleep(200)
}

/** One event of a customer that nobody bills, of its own connection. */
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

function momentOf(site: Site): Moment {
  return {
    residentBytes: residentBytes(site.pid),
    logBytes: readdirSync(join(site.dataDir, 'log'))
      .map((name) => statSync(join(site.dataDir, 'log', name)).size)
      .reduce((sum, bytes) => sum + bytes, 0),
  }
}

/** 0 where there is no /proc. */
function residentBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

const unmeasured = (site: Site): Promise<number> => metric(site, 'sluice_log_lag_events')

/** Sum over its labels. */
async function metric({ opsUrl }: Site, name: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
