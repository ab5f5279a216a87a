import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scratchDirectory } from '../../bench/harness/server.ts'
import { openSite } from '../../bench/harness/site.ts'
import type { Prometheus } from '../pictures/prometheus.ts'
import { startPrometheus } from '../pictures/prometheus.ts'
import { openScene } from '../pictures/scene.ts'
import type { Fault } from './faults.ts'
import { faultsOf } from './faults.ts'
import { hurried } from './hurried.ts'

/** Rates have something to begin with. */
const settledMs = 12_000
/** How long an alert may go on after its fault. */
const silentMs = 90_000
/** How long after a fault its alerts may still begin. */
const afterwardsMs = 15_000

// `npm run alerts [-- --only ALERT]`: a real run under load, scraped by a real Prometheus, in which
// one fault after another strikes and ends. Exit 1 where one of its alerts does not fire, or does
// not fall silent again.
process.exitCode = await main(process.argv.slice(2))

// Relative to dist/deploy/alerts.
function rulesIn(name: string): string {
  const path = new URL(`../../../deploy/prometheus/${name}`, import.meta.url)
  return readFileSync(fileURLToPath(path), 'utf8')
}

async function main(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options: { only: { type: 'string' } } })
  const scratch = scratchDirectory()
  const site = await openSite({ customers: 12, profile: null })
  const scene = await openScene(site, scratch.path, { deaf: false, spoolMax: '1MiB' })
  const rules = join(scratch.path, 'rules')
  mkdirSync(rules)
  const names = ['recording.yaml', 'alerts.yaml']
  for (const name of names) writeFileSync(join(rules, name), hurried(rulesIn(name)))
  const prometheus = await startPrometheus(scratch.path, rules, {
    sluice: new URL(site.opsUrl).host,
    'sluice-sidecar': scene.sidecar,
  })
  const all = [...rulesIn('alerts.yaml').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  const seen = new Set<string>()
  const problems: string[] = []
  await sleep(settledMs)
  problems.push(...(await firing(prometheus)).map((alert) => `${alert} fires without a fault`))
  for (const fault of faultsOf(site, scene)) {
    if (values.only !== undefined && !fault.alerts.includes(values.only)) continue
    problems.push(...(await struck(fault, prometheus)))
    for (const alert of fault.alerts) seen.add(alert)
  }
  await prometheus.stop()
  await scene.stop()
  await site.stop()
  scratch.remove()
  const others = all.filter((alert) => !seen.has(alert)).join(', ')
  process.stdout.write(`Not struck here, and seen by promtool alone: ${others}\n`)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  return problems.length === 0 ? 0 : 1
}

/** What was not as it should be. */
async function struck(fault: Fault, prometheus: Prometheus): Promise<readonly string[]> {
  const { alerts, name } = fault
  const from = wallSeconds()
  await fault.strike()
  const deadline = performance.now() + silentMs
  let left: readonly string[] = alerts
  do {
    await sleep(1_000)
    const fires = new Set(await firing(prometheus))
    left = alerts.filter((alert) => fires.has(alert))
    // What lets it fire may only show after the end, as balances that come late.
    if (performance.now() < deadline - silentMs + afterwardsMs) continue
    if (left.length === 0) break
  } while (performance.now() < deadline)
  const found = await prometheus.range('ALERTS{alertstate="firing"}', from, wallSeconds())
  const fired = new Set(found.map(({ labels }) => labels['alertname'] ?? ''))
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

/** Names of what fires now. */
async function firing(prometheus: Prometheus): Promise<readonly string[]> {
  const now = wallSeconds()
  const found = await prometheus.range('ALERTS{alertstate="firing"}', now, now)
  return [...new Set(found.map(({ labels }) => labels['alertname'] ?? ''))]
}

function wallSeconds(): number {
  return (performance.timeOrigin + performance.now()) / 1_000
}
