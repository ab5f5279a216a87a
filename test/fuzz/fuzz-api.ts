import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { furnish } from '../support/process/furnish.ts'
import { scratchDirectory, startServer } from '../support/process/server.ts'

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
  readonly say: (text: string) => void
}

/**
 * Sends what Schemathesis makes of `/openapi.json` to a server of its own, and answers its exit
 * status: 0 when all answers were as described.
 */
export async function fuzzApi({ program, say, ...options }: FuzzOptions): Promise<number> {
  const scratch = scratchDirectory()
  const settings = { DATA_DIR: join(scratch.path, 'data'), TRUSTED_PROXIES: '127.0.0.1' }
  // Nothing is delivered: made-up endpoints lead anywhere.
  const server = await startServer(settings, 'http,billing,sweeps,archive')
  try {
    const { keys } = await furnish(settings)
    const url = server.ready['test_url'] ?? ''
    const words = [
      ...['--config-file', join(here, 'schemathesis.toml')],
      ...['run', `${url}/openapi.json`, '--header', `Authorization: Bearer ${keys.write}`],
      ...['--max-examples', String(options.examples)],
      ...(options.seconds === null ? [] : ['--max-time', String(options.seconds)]),
      ...(options.seed === null ? [] : ['--seed', String(options.seed)]),
    ]
    return await new Promise((done, failed) => {
      // It keeps what it found in its folder, which goes with the rest.
      const child = spawn(program, words, { cwd: scratch.path, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => say(chunk.toString()))
      }
      child.once('error', failed)
      child.once('close', (status) => done(status ?? 1))
    })
  } finally {
    await server.stop('SIGKILL')
    scratch.remove()
  }
}
