import { readFile } from 'node:fs/promises'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import type { Mode } from '../rules/meter/meter.ts'
import type { Command, Input } from './command.ts'
import { UsageError } from './command.ts'
import { readFirstKey } from './first-key.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']

/** One request to the server that the settings name, whose answer goes to stdout. */
export const api: Command = {
  name: 'api',
  usage: 'METHOD PATH [--data JSON|@FILE] [--key KEY]',
  summary: 'sends one request to the running server; without --key, by the key of the first start',
  options: { data: { type: 'string' }, key: { type: 'string' } },
  positionals: ['METHOD', 'PATH'],
  choices: { METHOD: methods },

  async run(input) {
    const [method, path] = targetOf(input)
    const config = input.config()
    const data = await dataOf(input.text('data'))
    const key = keyOf(input.text('key')) ?? (await ownKey(config))
    const answer = await ask(config, { method, path, data, key })
    await show(answer, input)
    const status = answer.statusCode ?? 0
    if (status === 401 && key === null) {
      process.stderr.write('No key was sent: there is none of a first start here, so add --key.\n')
    }
    return status >= 400 ? 1 : 0
  },
}

function targetOf(input: Input): readonly [method: string, path: string] {
  const [method, path] = [input.positional('METHOD').toUpperCase(), input.positional('PATH')]
  if (!methods.includes(method)) {
    throw new UsageError(`METHOD must be one of ${methods.join(', ')}, not '${method}'.`)
  }
  if (/^\/[\x21-\x7e]*$/.test(path)) return [method, path]
  throw new UsageError(
    `PATH must begin with a slash, such as /customers?page_size=5, with other characters percent-encoded; not '${path}'.`,
  )
}

/** The bytes of a body; null: none. */
async function dataOf(data: string | null): Promise<Buffer | null> {
  if (data === null) return null
  if (!data.startsWith('@')) return Buffer.from(data)
  const name = data.slice(1)
  // Standard input has a name of its own on every system that runs Sluice.
  return readFile(name === '-' ? '/dev/stdin' : name).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${name} cannot be read (${error.code ?? 'unknown'}).`)
  })
}

/** What no header may hold is refused here, in words. */
function keyOf(key: string | null): string | null {
  if (key === null || /^[\x21-\x7e]{1,256}$/.test(key)) return key
  throw new UsageError('--key must be an API key, such as `sluice keys create` shows.')
}

/** The key of the first start is of the embedded store alone. */
const ownKey = (config: Config): Promise<string | null> =>
  config.databaseUrl === null ? readFirstKey(config.dataDir) : Promise.resolve(null)

interface Asked {
  readonly method: string
  readonly path: string
  readonly data: Buffer | null
  readonly key: string | null
}

function ask(config: Config, { method, path, data, key }: Asked): Promise<IncomingMessage> {
  const door = doorOf(config, key?.startsWith('slc_live_') === true ? 'live' : 'test')
  return new Promise((answered, failed) => {
    const sending: ClientRequest = request({
      host: door.host,
      port: door.port,
      method,
      path,
      headers: {
        Host: door.name,
        Accept: '*/*',
        'User-Agent': 'sluice-api',
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(data === null ? {} : { 'Content-Type': 'application/json' }),
        ...(data === null && bare.has(method) ? {} : { 'Content-Length': data?.length ?? 0 }),
      },
    })
    sending.once('response', answered)
    sending.once('error', (error: NodeJS.ErrnoException) => failed(unanswered(door, error)))
    sending.end(data ?? undefined)
  })
}

/** Methods that announce no length where they have no body. */
const bare: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

interface Door {
  readonly host: string
  readonly port: number
  /** What the server is called, by which it may choose the mode. */
  readonly name: string
}

/** A server that listens on all addresses is asked on this machine. */
function doorOf({ host, hosts, port, livePort }: Config, mode: Mode): Door {
  const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  if (hosts !== null) return { host: here, port, name: hosts[mode] }
  const own = mode === 'live' ? livePort : port
  return { host: here, port: own, name: `${here.includes(':') ? `[${here}]` : here}:${own}` }
}

function unanswered({ host, port }: Door, { code = 'unknown' }: NodeJS.ErrnoException): Error {
  if (code !== 'ECONNREFUSED') return new Error(`The request to ${host}:${port} broke (${code}).`)
  return new Error(
    `No server answers at ${host}:${port}: start one with \`npm start\`, then try again.`,
  )
}

/** For a person JSON is spread out; anything else, and everything in a pipe, comes as it came. */
async function show(answer: IncomingMessage, input: Input): Promise<void> {
  const { isTerminal, write } = input.out
  const isJson = /^application\/(\w+\+)?json\b/.test(answer.headers['content-type'] ?? '')
  if (isTerminal && isJson && !input.flag('json')) {
    write(spread(await textOf(answer)))
    return
  }
  let last = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    write(chunk)
    last = chunk.subarray(-1).toString('latin1')
  }
  if (isTerminal && last !== '' && last !== '\n') write('\n')
}

function spread(text: string): string {
  try {
    return text === '' ? '' : `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch {
    return `${text}\n`
  }
}
