import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { dashboards } from '../../deploy/grafana/dashboards.ts'
import { grafanaOf } from '../../deploy/grafana/panels.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { knownSeries, seriesIn } from './queries.ts'
import { describeWithTools, promtoolMissing, toolsMissing, yamlOf } from './tools.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const folder = `${deploy}grafana/dashboards/`

interface Placed {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number }
  readonly targets: readonly { readonly refId: string; readonly expr: string }[]
}

describe('the dashboards', () => {
  it('are the files that Grafana reads', async () => {
    for (const dashboard of dashboards) {
      const text = `${JSON.stringify(grafanaOf(dashboard), null, 2)}\n`
      await expect(text).toMatchFileSnapshot(`${folder}${dashboard.name}.json`)
    }
    const names = dashboards.map(({ name }) => `${name}.json`).sort()
    expect(readdirSync(folder).sort()).toEqual(names)
  })

  it('have panels beside each other, each with a name of its own and a sentence', () => {
    for (const dashboard of dashboards) {
      const { panels } = grafanaOf(dashboard) as { readonly panels: readonly Placed[] }
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
      const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
      expect(new Set(places).size).toBe(panels.length)
      for (const { gridPos, targets } of panels) {
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
        expect(targets.length).toBeGreaterThan(0)
      }
      for (const { about } of dashboard.panels) expect(about).toMatch(/\.$/)
    }
  })
})

describeWithTools(toolsMissing, 'the queries of the dashboards', () => {
  it('ask for metrics that there are, and for what is recorded', async () => {
    const [found] = await yamlOf(`${deploy}prometheus/recording.yaml`)
    const { groups } = found as {
      readonly groups: readonly { readonly rules: readonly { readonly record: string }[] }[]
    }
    const recorded = groups.flatMap(({ rules }) => rules.map(({ record }) => record))
    const known = new Set([...(await knownSeries()), ...recorded])
    for (const { queries } of dashboards.flatMap(({ panels }) => panels)) {
      for (const [query] of queries) {
        const asked = seriesIn(query)
        expect([query, asked.length > 0]).toEqual([query, true])
        expect([query, asked.filter((name) => !known.has(name))]).toEqual([query, []])
      }
    }
  })
})

describeWith(promtoolMissing, 'promtool', () => {
  it('reads every query of the dashboards', () => {
    const queries = dashboards.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries))
    const rules = queries.map(([query], index) => ({
      record: `query:${index}`,
      expr: query.replaceAll('$__rate_interval', '1m'),
    }))
    const scratch = scratchDirectory()
    const path = join(scratch.path, 'queries.yaml')
    // What reads YAML reads JSON.
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', path])
    scratch.remove()
    expect([status, `${stderr}`]).toEqual([0, ''])
  })
})
