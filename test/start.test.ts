import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scratchDirectory } from './support/process/server.ts'
import { itAtLength } from './support/run/at-length.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let scratch: ReturnType<typeof scratchDirectory>

const migrations = 'src/parts/store/postgres/schema/migrations'
const starting = [
  'src/start.js',
  'src/start-build.js',
  'src/start-engine.js',
  'src/start-engine-fetch.js',
]

/** A place of its own, with our dependencies and no build. */
beforeEach(() => {
  scratch = scratchDirectory()
  copy('package.json', 'package-lock.json', 'tsconfig.json')
  symlinkSync(join(root, 'node_modules'), join(scratch.path, 'node_modules'))
})
afterEach(() => scratch.remove())

function copy(...names: readonly string[]): void {
  for (const name of names) {
    cpSync(join(root, name), join(scratch.path, name), { recursive: true })
  }
}

/** What starts the product, and so little besides that a build costs nearly nothing. */
function standIn(): void {
  copy(...starting, `${migrations}/0001.sql`)
  writeFileSync(join(scratch.path, 'src/main.ts'), "process.stdout.write('Usage: sluice\\n')\n")
  writeFileSync(join(scratch.path, 'src/main-schemas.ts'), '// There are no schemas to compile.\n')
  writeFileSync(join(scratch.path, 'src/main-cluster.ts'), '// There is no cluster to keep.\n')
  writeFileSync(join(scratch.path, 'src/start-assembly.js'), '// Nothing takes bodies.\n')
  writeFileSync(join(scratch.path, 'src/start-bundle.js'), '// There are no modules to bundle.\n')
}

function start(...words: string[]): Promise<{ status: number | null; out: string; error: string }> {
  const env = { ...process.env, HTTP_ENGINE_FROM: 'off' }
  const child = spawn(process.execPath, [join(scratch.path, 'src/start.js'), ...words], { env })
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString()
  })
  return new Promise((done) => child.once('close', (status) => done({ status, out, error })))
}

const usage = /^Usage: sluice/

describe('the start of a fresh clone', () => {
  itAtLength('builds once, and again when a source has changed', {}, async () => {
    // Those of the tests and benches would only cost time: what runs here has built them, too.
    copy('src', 'workers')
    const first = await start('help')
    expect([first.status, first.error]).toEqual([0, 'sluice: building\n'])
    expect(first.out).toMatch(usage)
    expect(readdirSync(join(scratch.path, 'dist', migrations))).toContain('0001.sql')
    expect((await start('help')).error).toBe('')

    utimesSync(join(scratch.path, 'src/limits.ts'), new Date(), new Date())
    expect((await start('help')).error).toBe('sluice: building\n')
    expect(existsSync(join(scratch.path, '.preparing'))).toBe(false)
  })

  it('drops what was built of a source that is gone', async () => {
    standIn()
    cpSync(join(scratch.path, migrations, '0001.sql'), join(scratch.path, migrations, '9999.sql'))
    await start('help')
    expect(existsSync(join(scratch.path, 'dist', migrations, '9999.sql'))).toBe(true)
    rmSync(join(scratch.path, migrations, '9999.sql'))
    await start('help')
    expect(existsSync(join(scratch.path, 'dist', migrations, '9999.sql'))).toBe(false)
    expect(existsSync(join(scratch.path, 'dist', migrations, '0001.sql'))).toBe(true)
  })

  it('is made by one of several that start together', async () => {
    standIn()
    const started = await Promise.all([1, 2, 3].map(() => start('help')))
    for (const { status, out } of started) {
      expect(status).toBe(0)
      expect(out).toMatch(usage)
    }
    const builds = started.filter(({ error }) => error.includes('building'))
    expect(builds).toHaveLength(1)
  })

  it('goes on where a killed one left its lock', async () => {
    standIn()
    const lock = join(scratch.path, '.preparing')
    mkdirSync(lock)
    const hourAgo = new Date(Date.now() - 3_600_000)
    utimesSync(lock, hourAgo, hourAgo)
    const { status, error } = await start('help')
    expect(status).toBe(0)
    expect(error).toContain('building')
  })

  it('says what is wrong with a command that it does not know', async () => {
    standIn()
    const { status, error } = await start('--run', 'dance')
    expect(status).toBe(2)
    expect(error).toContain("not 'dance'")
  })
})
