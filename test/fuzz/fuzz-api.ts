import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { furnish } from '../support/process/furnish.ts'
import { scratchDirectory, startServer } from '../support/process/server.ts'
import type { Description, Some } from './chosen-operations.ts'
import { chosenIn, namesAnother } from './chosen-operations.ts'

const here = fileURLToPath(new URL('../../test/fuzz/', import.meta.url)).replace('/dist/', '/')

type Found = { readonly program: string } | { readonly why: string }

/** The program, installed where it is missing; or why there is none, in a sentence. */
export function findSchemathesis(): Promise<Found> {
  return new Promise((done) => {
    execFile(join(here, 'schemathesis.sh'), (error, out, said) => {
      if (error === null) done({ program: out.trim() })
      else done({ why: said.trim().split('\n').at(-1) ?? error.message })
    })
  })
}

export interface FuzzOptions {
  readonly program: string
  /** How long it may go on; null: until each operation had its share once. */
  readonly seconds: number | null
  readonly seed: number | null
  /** How many requests an operation gets in each phase. */
  readonly examples: number
  /** Null: all operations, and those that the description joins, one after another. */
  readonly some: Some | null
  readonly say: (text: string) => void
}

/**
 * Sends what Schemathesis makes of `/openapi.json` to a server of its own, and answers its exit
 * status: 0 when all answers were as described.
 */
export async function fuzzApi(options: FuzzOptions): Promise<number> {
  const scratch = scratchDirectory()
  const settings = { DATA_DIR: join(scratch.path, 'data'), TRUSTED_PROXIES: '127.0.0.1' }
  // Nothing is delivered: made-up endpoints lead anywhere.
  const server = await startServer(settings, 'http,billing,sweeps,archive')
  try {
    const { keys } = await furnish(settings)
    return await fuzz({ url: server.ready['test_url'] ?? '', key: keys.write }, options)
  } finally {
    await server.stop('SIGKILL')
    scratch.remove()
  }
}

/** The same for a server that runs. */
export async function fuzz(
  { url, key }: { readonly url: string; readonly key: string },
  { program, say, ...options }: FuzzOptions,
): Promise<number> {
  const described = await fetch(`${url}/openapi.json`)
  const description = (await described.json()) as Description
  const chosen = chosenIn(description, options.some)
  // It keeps what it found in its folder, which goes with the rest.
  const scratch = scratchDirectory()
  const words = [
    ...['--config-file', await configured(description, scratch.path)],
    ...['run', `${url}/openapi.json`, '--header', `Authorization: Bearer ${key}`],
    ...['--max-examples', String(options.examples)],
    ...(options.seconds === null ? [] : ['--max-time', String(options.seconds)]),
    ...(options.seed === null ? [] : ['--seed', String(options.seed)]),
    ...chosen.flatMap((id) => ['--include-operation-id', id]),
  ]
  const child = spawn(program, words, {
    cwd: scratch.path,
    env: { ...process.env, SCHEMATHESIS_HOOKS: join(here, 'hooks.py') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => say(chunk.toString()))
  }
  try {
    return await new Promise((done, failed) => {
      child.once('error', failed)
      child.once('close', (status) => done(status ?? 1))
    })
  } finally {
    scratch.remove()
  }
}

/** The configuration, and the operations whose 404 may be about another thing than the made one. */
async function configured(description: Description, folder: string): Promise<string> {
  const exempt = namesAnother(description)
  const operations = `[[operations]]
include-operation-id = ${JSON.stringify(exempt)}
checks.ensure_resource_availability.enabled = false
`
  const file = join(folder, 'schemathesis.toml')
  const written = await readFile(join(here, 'schemathesis.toml'), 'utf8')
  await writeFile(file, exempt.length === 0 ? written : `${written}\n${operations}`)
  return file
}
