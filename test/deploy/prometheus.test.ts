import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { anchorsIn } from '../support/pages/anchors.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { expositions, knownSeries, seriesIn } from './queries.ts'
import { describeWithTools, promtoolMissing, toolsMissing, yamlOf } from './tools.ts'

const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
const manual = new URL('../../src/pages/docs/', import.meta.url)

function promtool(words: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, input })
  return { status, said: `${stdout}${stderr}` }
}

describeWith(promtoolMissing, 'promtool', () => {
  it('finds nothing to say about the metrics', async () => {
    for (const text of await expositions())
      expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' })
  })

  it('takes the scrape config and the rules', () => {
    expect(promtool(['check', 'config', 'prometheus.yaml'])).toMatchObject({ status: 0 })
    expect(promtool(['check', 'rules', 'recording.yaml', 'alerts.yaml'])).toMatchObject({
      status: 0,
    })
  })

  it('sees every alert fire and fall silent', () => {
    const { status, said } = promtool(['test', 'rules', 'alerts.test.yaml'])
    expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

interface RuleTest {
  readonly alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[]
}

describeWithTools(toolsMissing, 'the rules', () => {
  let rules: readonly Rule[] = []
  let alerts: readonly Rule[] = []
  beforeAll(async () => {
    rules = (await Promise.all(['recording.yaml', 'alerts.yaml'].map(rulesOf))).flat()
    alerts = rules.filter(({ alert }) => alert !== undefined)
  })

  it('ask for metrics that there are', async () => {
    const recorded = rules.map(({ record }) => record ?? '')
    const known = new Set([...(await knownSeries()), ...recorded, 'up'])
    for (const { alert, record, expr } of rules) {
      const asked = seriesIn(expr)
      expect([alert ?? record, asked.length > 0]).toEqual([alert ?? record, true])
      expect(asked.filter((name) => !known.has(name))).toEqual([])
    }
  })

  it('say how bad it is, in a sentence, and where to read on', () => {
    for (const { alert, annotations, labels } of alerts) {
      expect([alert, labels?.['severity']]).toEqual([
        alert,
        expect.stringMatching(/^(critical|warning)$/),
      ])
      expect(annotations?.['summary']).toMatch(/\.$/)
      const [page = '', anchor = ''] = annotations?.['runbook']?.split('#') ?? []
      const text = readFileSync(new URL(`${page}.md`, manual), 'utf8')
      expect([alert, anchor, anchorsIn(text).has(anchor)]).toEqual([alert, anchor, true])
    }
  })

  it('are each seen silent, firing, and silent again', async () => {
    const [found] = await yamlOf(`${folder}alerts.test.yaml`)
    const { tests } = found as { readonly tests: readonly RuleTest[] }
    const seen = tests.flatMap(({ alert_rule_test: each }) => each)
    for (const { alert } of alerts) {
      const moments = seen.filter(({ alertname }) => alertname === alert)
      const firing = moments.map(({ exp_alerts: expected }) => expected.length > 0)
      expect([alert, firing]).toEqual([alert, [false, true, false]])
    }
  })
})

async function rulesOf(name: string): Promise<readonly Rule[]> {
  const [found] = await yamlOf(`${folder}${name}`)
  const { groups } = found as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

describe('a query', () => {
  it('is read for the series that it asks for', () => {
    const query = 'sum by (le) (rate(sluice_x_bucket{job="sluice_y"}[5m])) / sluice:lag:sum + up'
    expect(seriesIn(query)).toEqual(['sluice_x_bucket', 'sluice:lag:sum', 'up'])
  })
})
