import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeIf } from '../support/servers/describe-with.ts'
import { isProgram, onPath, run } from '../support/servers/programs.ts'

/** What tells how to have promtool; null when it is there. */
export const promtoolMissing: string | null =
  onPath('promtool') === null ? 'promtool, in the package prometheus of Debian' : null

const folder = process.env['TEST_DEPLOY_TOOLS'] ?? null

/** What tells how to have the linters; null when they are there. */
export const toolsMissing: string | null =
  folder !== null && isProgram(join(folder, 'python/bin/python'))
    ? null
    : 'TEST_DEPLOY_TOOLS, a folder that test/deploy/tools.sh makes and prints'

/** What tells how to have helm and kube-score; null when they are there. */
export const helmMissing: string | null =
  folder !== null && isProgram(join(folder, 'bin/helm')) ? toolsMissing : (toolsMissing ?? 'helm')

/** Where npm has put the types of what operators of Kubernetes take. */
export const operatorTypes = join(folder ?? '', 'operators/node_modules/@kubernetes-models')

/** What tells how to have them; null when they are there. */
export const operatorTypesMissing: string | null =
  folder !== null && existsSync(operatorTypes) ? helmMissing : (helmMissing ?? 'types of operators')

/**
 * A suite that needs these programs. They come from registries that not every network reaches:
 * where TEST_DEPLOY_TOOLS is `none`, the suite is skipped by name, whatever else is required.
 */
export function describeWithTools(missing: string | null, name: string, suite: () => void): void {
  const required = process.env['TEST_REQUIRE_ALL'] === '1' && folder !== 'none'
  describeIf(missing, name, { required, suite })
}

/** Where a program of the folder is. */
export const tool = (path: `python/${string}` | `bin/${string}`): string => join(folder ?? '', path)

const dump = 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)'

/** All documents of a YAML file. Throws where it is not one. */
export async function yamlOf<Document>(path: string): Promise<readonly Document[]> {
  const python = tool('python/bin/python')
  const program = `sys = __import__("sys"); sys.stdin = open(sys.argv[1]); ${dump}`
  return JSON.parse(await run([python, '-c', program, path]))
}
