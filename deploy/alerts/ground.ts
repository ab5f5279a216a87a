import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchDirectory } from '../../bench/harness/server.ts'
import { openSite } from '../../bench/harness/site.ts'
import { startKafka } from '../../test/support/servers/kafka.ts'
import { freePort } from '../../test/support/servers/ports.ts'
import { startRedis } from '../../test/support/servers/redis.ts'
import type { Prometheus } from '../pictures/prometheus.ts'
import { startPrometheus } from '../pictures/prometheus.ts'
import { openScene } from '../pictures/scene.ts'
import { bentClock } from './bent-process.ts'
import { bentServers } from './bent-servers.ts'
import type { Fault } from './fault.ts'
import { faultsOf } from './faults.ts'
import { hurried } from './hurried.ts'

/** A run under load that a Prometheus scrapes, and what can be broken in it. */
export interface Ground {
  readonly prometheus: Prometheus
  readonly faults: readonly Fault[]
  stop(): Promise<void>
}

// Relative to dist/deploy/alerts.
export function rulesIn(name: string): string {
  const path = new URL(`../../../deploy/prometheus/${name}`, import.meta.url)
  return readFileSync(fileURLToPath(path), 'utf8')
}

/** On the embedded parts. */
export async function embeddedGround(): Promise<Ground> {
  const scratch = scratchDirectory()
  const places = { clock: join(scratch.path, 'clock.json'), slowOpsPort: await freePort() }
  const site = await openSite({ customers: 12, profile: null, settings: bentClock(places.clock) })
  const scene = await openScene(site, scratch.path, { deaf: false, spoolMax: '1MiB' })
  const prometheus = await startPrometheus(scratch.path, hurriedRules(scratch.path), {
    sluice: new URL(site.opsUrl).host,
    'sluice-sidecar': scene.sidecar,
    // Another job: nobody misses it while it is not there.
    'sluice-slow': `127.0.0.1:${places.slowOpsPort}`,
  })
  return { prometheus, faults: faultsOf(site, scene, places), stop }

  async function stop(): Promise<void> {
    await prometheus.stop()
    await scene.stop()
    await site.stop()
    scratch.remove()
  }
}

/** On a Kafka and a Redis. */
export async function distributedGround(): Promise<Ground> {
  const scratch = scratchDirectory()
  const clock = join(scratch.path, 'clock')
  writeFileSync(clock, '0')
  const [kafka, redis] = await Promise.all([startKafka({ bent: clock, tuned: true }), startRedis()])
  const settings = { ...kafka.settings, ...redis.settings }
  const site = await openSite({ customers: 12, profile: null, settings })
  const scene = await openScene(site, scratch.path, { deaf: false, spoolMax: '1MiB', rate: 500 })
  const targets = { sluice: new URL(site.opsUrl).host, 'sluice-sidecar': scene.sidecar }
  const prometheus = await startPrometheus(scratch.path, hurriedRules(scratch.path), targets)
  const { brokers } = kafka
  return { prometheus, faults: bentServers(site, { brokers, redis, clock }), stop }

  async function stop(): Promise<void> {
    await prometheus.stop()
    await scene.stop()
    await site.stop()
    await Promise.all([kafka.stop(), redis.stop()])
    scratch.remove()
  }
}

function hurriedRules(folder: string): string {
  const rules = join(folder, 'rules')
  mkdirSync(rules)
  for (const name of ['recording.yaml', 'alerts.yaml']) {
    writeFileSync(join(rules, name), hurried(rulesIn(name)))
  }
  return rules
}
