import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Site } from '../../bench/harness/site.ts'
import type { Servers } from '../../deploy/alerts/bent-servers.ts'
import { bentServers } from '../../deploy/alerts/bent-servers.ts'
import type { FaultPlaces } from '../../deploy/alerts/faults.ts'
import { faultsOf } from '../../deploy/alerts/faults.ts'
import { hurried } from '../../deploy/alerts/hurried.ts'
import type { Scene } from '../../deploy/pictures/scene.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { promtoolMissing } from './tools.ts'

// All of it, with a real Prometheus: npm run alerts
const rulesIn = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/prometheus/${name}`, import.meta.url)), 'utf8')

it('each alert has one fault that is struck for it', () => {
  const alerts = [...rulesIn('alerts.yaml').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const embedded = faultsOf({} as Site, {} as Scene, {} as FaultPlaces)
  const distributed = bentServers({} as Site, {} as Servers)
  const struck = [...embedded, ...distributed].flatMap((fault) => fault.alerts)
  expect(struck.toSorted()).toEqual(alerts.toSorted())
})

it('the rules of a run of minutes have no wait or window of the usual ones, and a bound that is gone is told', () => {
  for (const name of ['recording.yaml', 'alerts.yaml']) {
    const text = hurried(rulesIn(name))
    expect(text).not.toMatch(/\[\d+[mh]\]/)
    expect(text).not.toMatch(/^ +for: \d+[mh]/m)
  }
  const changed = rulesIn('alerts.yaml').replace('oldest_seconds > 300', 'oldest_seconds > 301')
  expect(() => hurried(changed)).toThrow('SluiceSidecarWaits no longer says')
})

describeWith(promtoolMissing, 'promtool', () => {
  it('takes the rules of a run of minutes', () => {
    const scratch = scratchDirectory()
    for (const name of ['recording.yaml', 'alerts.yaml']) {
      const path = join(scratch.path, name)
      writeFileSync(path, hurried(rulesIn(name)))
      expect(spawnSync('promtool', ['check', 'rules', path])).toMatchObject({ status: 0 })
    }
    scratch.remove()
  })
})
