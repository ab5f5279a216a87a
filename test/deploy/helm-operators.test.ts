import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scratchDirectory } from '../support/process/server.ts'
import { describeWithTools, operatorTypes, operatorTypesMissing, tool, yamlOf } from './tools.ts'

const here = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const scratch = scratchDirectory()
afterAll(() => scratch.remove())

interface Resource {
  readonly apiVersion: string
  readonly kind: string
}

/** The package that has the types of what an operator takes, by the group of its API. */
const packages: Readonly<Record<string, string>> = {
  'external-secrets.io': 'external-secrets',
  'keda.sh': 'keda',
  'monitoring.coreos.com': 'prometheus-operator',
}
const groupOf = ({ apiVersion }: Resource): string => apiVersion.replace(/\/.*/, '')

describeWithTools(operatorTypesMissing, 'what the chart makes for operators', () => {
  let resources: readonly Resource[] = []
  beforeAll(async () => {
    const path = join(scratch.path, 'large.yaml')
    const words = ['--kube-version', '1.34.0', '--values', here('deploy/helm/values/large.yaml')]
    const chart = here('deploy/helm/sluice')
    const { stdout } = spawnSync(tool('bin/helm'), ['template', 'usage', chart, ...words])
    writeFileSync(path, stdout)
    const all = (await yamlOf<Resource | null>(path)).filter((each) => each !== null)
    resources = all.filter((each) => packages[groupOf(each)] !== undefined)
  })

  it('has every field as they take it, and no other', () => {
    expect(new Set(resources.map(groupOf))).toEqual(new Set(Object.keys(packages)))
    expect(problemsOf(resources)).toBe('')
  })

  it('would be found out where it had another', () => {
    const misspelled = JSON.stringify(resources).replaceAll('"triggers":', '"trigers":')
    expect(problemsOf(JSON.parse(misspelled))).toContain('\'"trigers"\' does not exist')
  })
})

/** What the compiler says of them as literals of those types: it lets no field through. */
function problemsOf(resources: readonly Resource[]): string {
  const lines = resources.map((resource, index) => {
    const { apiVersion, kind } = resource
    const path = join(operatorTypes, packages[groupOf(resource)] ?? '', apiVersion, `${kind}.js`)
    const type = `import(${JSON.stringify(path)}).I${kind}`
    return `export const resource${index}: ${type} = ${JSON.stringify(resource)}\n`
  })
  const file = join(scratch.path, 'resources.ts')
  writeFileSync(file, lines.join(''))
  const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext']
  const words = ['--noEmit', '--strict', '--skipLibCheck', '--types', '', ...modules, file]
  const options = { cwd: scratch.path, encoding: 'utf8' } as const
  return spawnSync(here('node_modules/.bin/tsc'), words, options).stdout
}
