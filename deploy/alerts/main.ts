import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Site } from '../../bench/harness/site.ts'
import { bentClockMissing } from '../../test/support/servers/bent-clock.ts'
import { kafkaMissing } from '../../test/support/servers/kafka.ts'
import { redisMissing } from '../../test/support/servers/redis.ts'
import type { Prometheus } from '../pictures/prometheus.ts'
import type { Servers } from './bent-servers.ts'
import { bentServers } from './bent-servers.ts'
import type { Fault } from './fault.ts'
import type { Ground } from './ground.ts'
import { distributedGround, embeddedGround, rulesIn } from './ground.ts'

/** Rates have something to begin with. */
const settledMs = 12_000
/** How long an alert may take to begin or to end after its fault. */
const silentMs = 90_000

/** One after the other: both at once would be too much for a small machine. */
const distributed = bentServers({} as Site, {} as Servers).flatMap(({ alerts }) => alerts)
const grounds = [
  { missing: null, open: embeddedGround, strikes: (alert: string) => !distributed.includes(alert) },
  {
    missing: kafkaMissing ?? redisMissing ?? bentClockMissing,
    open: distributedGround,
    strikes: (alert: string) => distributed.includes(alert),
  },
]

// `npm run alerts [-- --only ALERT,…]`: a real run under load, scraped by a real Prometheus, in which
// one fault after another strikes and ends. Exit 1 where one of its alerts does not fire, or does
// not fall silent again.
process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options: { only: { type: 'string' } } })
  const all = [...rulesIn('alerts.yaml').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  const only = values.only?.split(',') ?? all
  const unknown = only.find((alert) => !all.includes(alert))
  if (unknown !== undefined) {
    process.stderr.write(`There is no alert ${unknown}; there are ${all.join(', ')}.\n`)
    return 2
  }
  const seen = new Set<string>()
  const problems: string[] = []
  for (const { missing, open, strikes } of grounds) {
    if (!only.some(strikes)) continue
    if (missing === null) problems.push(...(await strikeAll(await open(), only, seen)))
    else process.stdout.write(`Some faults are left out, for want of ${missing}.\n`)
  }
  const others = all.filter((alert) => !seen.has(alert)).join(', ')
  if (others !== '')
    process.stdout.write(`Not struck here, and seen by promtool alone: ${others}\n`)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  return problems.length === 0 ? 0 : 1
}

/** Strikes for the alerts `only`; adds each to `seen`, and answers what went wrong. */
async function strikeAll(
  { faults, prometheus, stop }: Ground,
  only: readonly string[],
  seen: Set<string>,
): Promise<readonly string[]> {
  await sleep(settledMs)
  const early = await stillFiring(prometheus)
  const problems = early.map((alert) => `${alert} fires without a fault`)
  for (const fault of faults) {
    if (!fault.alerts.some((alert) => only.includes(alert))) continue
    problems.push(...(await struck(fault, prometheus)))
    for (const alert of fault.alerts) seen.add(alert)
  }
  await stop()
  return problems
}

/** What was not as it should be. */
async function struck(fault: Fault, prometheus: Prometheus): Promise<readonly string[]> {
  const { alerts, name } = fault
  // What an earlier fault has left to do is done first.
  await stillFiring(prometheus)
  const from = wallSeconds()
  await fault.strike()
  const deadline = performance.now() + silentMs
  let fired: ReadonlySet<string> = new Set()
  let left: readonly string[] = alerts
  do {
    await sleep(1_000)
    // What lets it fire may only show after the end, as balances that come late.
    fired = await firing(prometheus, from)
    const now = await firing(prometheus)
    left = alerts.filter((alert) => now.has(alert))
  } while (
    performance.now() < deadline &&
    (left.length > 0 || alerts.some((alert) => !fired.has(alert)))
  )
  const missed = alerts.filter((alert) => !fired.has(alert))
  const besides = [...fired].filter((alert) => !alerts.includes(alert))
  const more = besides.length === 0 ? '' : ` (and ${besides.join(', ')})`
  const ones = alerts.filter((alert) => fired.has(alert) && !left.includes(alert))
  process.stdout.write(`${name}: ${ones.join(', ')} fired and fell silent${more}\n`)
  return [
    ...missed.map((alert) => `${alert} did not fire: ${name}`),
    ...left.map((alert) => `${alert} did not fall silent: ${name}`),
  ]
}

/** What fires without a fault, once a busy machine has had its time. */
async function stillFiring(prometheus: Prometheus): Promise<readonly string[]> {
  const deadline = performance.now() + silentMs
  for (;;) {
    const now = await firing(prometheus)
    if (now.size === 0 || performance.now() > deadline) return [...now]
    await sleep(1_000)
  }
}

/** Names of what has fired since a moment, or fires now. */
async function firing(prometheus: Prometheus, since = wallSeconds()): Promise<ReadonlySet<string>> {
  const now = wallSeconds()
  const found = await prometheus.range('ALERTS{alertstate="firing"}', Math.min(since, now), now)
  return new Set(found.map(({ labels }) => labels['alertname'] ?? ''))
}

function wallSeconds(): number {
  return (performance.timeOrigin + performance.now()) / 1_000
}
