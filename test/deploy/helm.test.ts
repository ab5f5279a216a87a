import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/limits.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { describeWithTools, helmMissing, promtoolMissing, tool, yamlOf } from './tools.ts'

const folder = fileURLToPath(new URL('../../deploy/helm/', import.meta.url))
const chart = join(folder, 'sluice')
const scratch = scratchDirectory()
afterAll(() => scratch.remove())

/** Oldest and newest version of Kubernetes that the chart is checked for. */
const versions = ['1.30.0', '1.37.0']

interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly spec?: unknown
  readonly data?: Readonly<Record<string, string>>
}

interface Pod {
  readonly terminationGracePeriodSeconds?: number
  readonly containers: readonly {
    readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
    readonly livenessProbe: unknown
    readonly readinessProbe: unknown
  }[]
}

describeWithTools(helmMissing ?? promtoolMissing, 'the chart', () => {
  it.each(['small', 'large', 'off'])('has nothing that helm lint sees, %s', (set) => {
    expect(helm('lint', '--strict', chart, '--values', valuesOf(set))).toMatchObject({ status: 0 })
  })

  it('takes values of the kinds that it knows, and no others', () => {
    const wrong = ['--set', 'gateway.replicas=many', '--set', 'gatewya.replicas=2']
    const { status, said } = rendered(chart, ...wrong)
    expect(status).toBe(1)
    expect(said).toContain('gatewya')
    expect(said).toContain('replicas')
  })

  it('would be found out where a resource has a field that there is not', () => {
    const metadata = { name: 'a', labels: {} }
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { prots: [] } }
    for (const version of versions) expect(faults([service], version)).toContain('prots')
  })

  it('scales engines in one way', () => {
    const both = ['engine.autoscaling.enabled=true', 'engine.keda.enabled=true']
    const { said } = helm(
      'template',
      chart,
      '--kube-version',
      '1.34.0',
      ...both.flatMap((each) => ['--set', each]),
    )
    expect(said).toContain('exclude each other')
  })

  describe.each(['small', 'large', 'off'])('with the values %s', (set) => {
    const path = join(scratch.path, `${set}.yaml`)
    let resources: readonly Resource[] = []
    beforeAll(async () => {
      const made = rendered('usage', chart, '--namespace', 'billing', '--values', valuesOf(set))
      expect(made).toMatchObject({ status: 0 })
      writeFileSync(path, made.out)
      resources = (await yamlOf<Resource | null>(path)).filter((each) => each !== null)
    })
    const of = (kind: string) => resources.filter((each) => each.kind === kind)

    it.each(versions)('is valid by the schemas of Kubernetes %s', (version) => {
      expect(faults(resources.filter(isCore), version)).toBe('')
    })

    it('has nothing critical that kube-score sees', () => {
      // A tag that is pinned need not be fetched again for every pod.
      const ignored = ['--ignore-test', 'container-image-pull-policy']
      const words = ['score', ...ignored, '--output-format', 'ci', path]
      const { stdout } = spawnSync(tool('bin/kube-score'), words, { encoding: 'utf8' })
      const critical = stdout.split('\n').filter((line) => line.startsWith('[CRITICAL]'))
      expect(set === 'off' ? critical.filter(isAboutWhatIsOn) : critical).toEqual([])
    })

    it('gives every process the time to drain, and to end every role', () => {
      for (const { spec } of of('Deployment')) {
        const pod = podOf(spec)
        const [container] = pod.containers
        const drain = container?.lifecycle?.preStop.sleep.seconds ?? 0
        const least = drain + limits.shutdownMs / 1_000 + 2
        expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(least)
        expect(container?.livenessProbe).toMatchObject({ httpGet: { path: '/healthz' } })
        expect(container?.readinessProbe).toMatchObject({ httpGet: { path: '/readyz' } })
      }
      expect(of('Deployment').map(({ metadata }) => metadata.name)).toEqual([
        'usage-sluice-engine',
        'usage-sluice-gateway',
      ])
    })

    it('has what its values ask for', () => {
      const kinds = [...new Set(resources.map(({ kind }) => kind))].sort()
      expect(kinds).toEqual(expected[set])
    })

    it('patches a program with a sidecar that is valid', () => {
      const [found] = of('ConfigMap').filter(({ metadata }) => metadata.name.endsWith('-sidecar'))
      expect(found === undefined).toBe(set === 'off')
      if (found === undefined) return
      const patch = join(scratch.path, `${set}-patch.yaml`)
      writeFileSync(patch, found.data?.['patch.yaml'] ?? '')
      expect(faultsOf([patched(patch)])).toBe('')
    })

    it('carries the rules and dashboards of this repository', async () => {
      for (const { spec, metadata } of of('PrometheusRule')) {
        const rules = join(scratch.path, `${metadata.name}.yaml`)
        writeFileSync(rules, JSON.stringify(spec))
        expect(spawnSync('promtool', ['check', 'rules', rules])).toMatchObject({ status: 0 })
        const text = JSON.stringify(spec)
        if (metadata.name.endsWith('-alerts'))
          expect(text).toContain('https://usage.example.com/docs/operations#lag-grows')
      }
      const [dashboards] = of('ConfigMap').filter(({ metadata }) =>
        metadata.name.endsWith('-dashboards'),
      )
      for (const text of Object.values(dashboards?.data ?? {}))
        expect(JSON.parse(text)).toMatchObject({ schemaVersion: 41 })
      if (set === 'large') expect(Object.keys(dashboards?.data ?? {}).length).toBe(7)
    })
  })
})

const always = ['Deployment', 'Service']
const usual = [...always, 'ConfigMap', 'Job', 'NetworkPolicy', 'PodDisruptionBudget']
const expected: Readonly<Record<string, readonly string[]>> = {
  off: always,
  small: usual.toSorted(),
  large: [
    ...usual,
    'ExternalSecret',
    'HorizontalPodAutoscaler',
    'PodMonitor',
    'PrometheusRule',
    'ScaledObject',
    'ServiceMonitor',
  ].sort(),
}

const valuesOf = (set: string): string => join(folder, 'values', `${set}.yaml`)

function helm(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(tool('bin/helm'), words, { encoding: 'utf8' })
  return { status, out: stdout, said: `${stdout}${stderr}` }
}

/** A helm that is built from its source takes itself for one of an old Kubernetes. */
const rendered = (...words: readonly string[]) =>
  helm('template', '--kube-version', '1.34.0', ...words)

/** Everything else is of an operator, whose schemas come with it. */
const isCore = ({ apiVersion }: Resource): boolean =>
  /^(v1|(apps|batch|policy|autoscaling|networking\.k8s\.io)\/)/.test(apiVersion)

/** What kubernetes-validate has to say; nothing where all are valid. */
function faults(resources: readonly Resource[], version: string): string {
  const paths = resources.map((resource, index) => {
    const path = join(scratch.path, `resource-${index}.json`)
    writeFileSync(path, JSON.stringify(resource))
    return path
  })
  return faultsOf(paths, version)
}

function faultsOf(paths: readonly string[], version = versions[1] ?? ''): string {
  const words = ['--strict', '--quiet', '--no-warn', '-k', version, ...paths]
  const program = tool('python/bin/kubernetes-validate')
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}

const podOf = (spec: unknown): Pod =>
  (spec as { readonly template: { readonly spec: Pod } }).template.spec

/** Of what `off` has switched off on purpose. */
const isAboutWhatIsOn = (line: string): boolean => !/NetworkPolicy|PodDisruptionBudget/.test(line)

/** A program that meters, with the patch in it; the path of the file. */
function patched(patch: string): string {
  const program = `
import json, sys, yaml
patch = yaml.safe_load(open(sys.argv[1]))
pod = patch["spec"]["template"]["spec"]
pod["containers"] = [{"name": "program", "image": "program:1"}]
patch["spec"]["template"]["metadata"]["labels"]["app"] = "program"
patch["spec"]["selector"] = {"matchLabels": {"app": "program"}}
json.dump({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "program"}, **patch}, open(sys.argv[2], "w"))
`
  const path = `${patch}.json`
  spawnSync(tool('python/bin/python'), ['-c', program, patch, path], { stdio: 'inherit' })
  return path
}
