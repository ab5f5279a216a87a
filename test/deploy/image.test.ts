import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchDirectory } from '../support/process/server.ts'
import { freePorts } from '../support/servers/ports.ts'
import { stepsOf } from './dockerfile.ts'
import { describeWithTools, tool, toolsMissing, yamlOf } from './tools.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dockerfile = join(root, 'deploy/Dockerfile')
const steps = stepsOf(dockerfile)
const last = Math.max(...steps.map(({ stage }) => stage))

describeWithTools(toolsMissing, 'the image and the compose file', () => {
  it('are what linters and schemas ask for', () => {
    const checked = [
      spawnSync(tool('python/bin/hadolint'), [dockerfile]),
      spawnSync(tool('python/bin/check-jsonschema'), [
        '--builtin-schema',
        'vendor.compose-spec',
        join(root, 'deploy/compose.yaml'),
      ]),
    ]
    expect(checked.map(({ status, stdout }) => [status, `${stdout}`.trim()])).toEqual([
      [0, ''],
      [0, 'ok -- validation done'],
    ])
  })

  it('use settings that there are, and nothing that is not in this repository', async () => {
    const [found] = await yamlOf(join(root, 'deploy/compose.yaml'))
    const { services } = found as { readonly services: Readonly<Record<string, Service>> }
    const ours = Object.values(services).filter(({ image }) => image === 'sluice')
    expect(ours.length).toBe(3)
    const source = ['config.ts', 'config-sidecar.ts'].map((name) =>
      readFileSync(join(root, 'src', name), 'utf8'),
    )
    for (const { environment = {} } of ours)
      for (const name of Object.keys(environment)) expect(source.join('\n')).toContain(`'${name}'`)
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((each) => each.startsWith('.')).map((each) => each.split(':')[0] ?? ''),
    )
    for (const path of mounted)
      expect([path, existsSync(join(root, 'deploy', path))]).toEqual([path, true])
  })
})

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
}

describe('the image', () => {
  it('runs as an ordinary user, and asks itself whether it is alive', () => {
    const of = (name: string) => steps.find((step) => step.stage === last && step.name === name)
    expect(of('USER')?.rest).toBe('1000:1000')
    expect(of('HEALTHCHECK')?.rest).toContain('/healthz')
    expect(of('ENTRYPOINT')?.rest).toBe('["node", "/app/dist/src/main.js"]')
  })

  it.runIf(process.env['TEST_IMAGE'] === '1')(
    'serves from what its steps make in a clean directory',
    async () => {
      const scratch = scratchDirectory()
      const app = join(scratch.path, 'app')
      try {
        for (const step of steps.filter(({ stage }) => stage === 0)) make(step, app)
        const before = listing(app)
        await serves(app, scratch.path)
        expect(listing(app)).toEqual(before)
      } finally {
        scratch.remove()
      }
    },
    900_000,
  )
})

/** Starts it as the image does, on embedded parts, asks whether it is alive, and ends it. */
async function serves(app: string, scratch: string): Promise<void> {
  const [port = 0, livePort = 0, opsPort = 0] = await freePorts(3)
  const data = join(scratch, 'data')
  mkdirSync(data)
  for (const path of [scratch, data]) chmodSync(path, 0o777)
  const [, entry] = JSON.parse(steps.find(({ name }) => name === 'ENTRYPOINT')?.rest ?? '[]')
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    DATA_DIR: join(data, 'sluice'),
    TMPDIR: data,
    PORT: `${port}`,
    LIVE_PORT: `${livePort}`,
    OPS_PORT: `${opsPort}`,
  }
  const words = asUser([inside(entry, app), 'serve', '--json'])
  const server = spawn(...words, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((done) => server.once('close', done))
  try {
    const ready = new Promise((done) => server.stdout?.once('data', done))
    expect(await Promise.race([ready, ended])).toBeInstanceOf(Buffer)
    const health = steps.find(({ name }) => name === 'HEALTHCHECK')?.rest ?? ''
    const [program, ...check] = JSON.parse(health.slice(health.indexOf('[')))
    const asked = (on: string) =>
      spawnSync(program, check, { env: { ...env, OPS_PORT: on } }).status
    expect([asked(`${opsPort}`), asked('1')]).toEqual([0, 1])
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  } finally {
    server.kill('SIGKILL')
    await ended
  }
}

/** Does in `app` what a step of the first stage does in the image. */
function make({ name, rest }: (typeof steps)[number], app: string): void {
  mkdirSync(app, { recursive: true })
  if (name === 'COPY') {
    const words = rest.split(/\s+/)
    const target = words.pop() ?? ''
    for (const word of words) {
      const to = target.endsWith('/') ? join(app, target, word) : join(app, target)
      cpSync(join(root, word), to, { recursive: true })
    }
  } else if (name === 'RUN') {
    const { status } = spawnSync('sh', ['-c', inside(rest, app)], {
      cwd: app,
      env: { ...process.env, HTTP_ENGINE_FROM: 'off' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    expect([rest, status]).toEqual([rest, 0])
  } else expect(name).toMatch(/^(FROM|ARG|WORKDIR)$/)
}

const inside = (text: string, app: string): string => text.replaceAll('/app/', `${app}/`)

/** As the image does: by a user who can write nothing of what he runs. */
function asUser(words: readonly string[]): [string, readonly string[]] {
  if (process.getuid?.() !== 0) return [process.execPath, words]
  const user = ['--reuid=1000', '--regid=1000', '--clear-groups']
  return ['setpriv', [...user, process.execPath, ...words]]
}

const listing = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
