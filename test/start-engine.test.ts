import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ok, route } from '../src/edge/http/route.ts'
import type { HttpEngine } from '../src/edge/http/uws.ts'
import { testServer } from './support/edge/test-server.ts'
import { scratchDirectory } from './support/process/server.ts'

/** Plain JavaScript: it runs before there is a compiler. */
const setUp: SetUp = await import(new URL('../src/start-engine.js', import.meta.url).href)
const { platform, arch, versions } = process
const name = `uws_${platform}_${arch}_${versions.modules}.node`
const require = createRequire(import.meta.url)
/** A build that this Node can load, as the repository would have it. */
const real = realBinary()

interface SetUp {
  prebuilt(): string
  isEngineSettled(root: string): boolean
  bringEngine(
    root: string,
    how: {
      readonly say: (line: string) => void
      readonly track: () => void
      readonly withinMs: number
    },
  ): Promise<void>
}

const scratch = scratchDirectory()
/** A stand-in of the repository's clone, without packages; each test finds it by a name of its own. */
let clone = join(scratch.path, '0')
let number = 0
let standIn: Server
let asked: string[]
let answer: RequestListener

/** Of the repository: all code, so that no new import of the engine's is missed here. */
const parts = ['package.json', 'src']

beforeAll(() => {
  for (const each of parts) {
    cpSync(fileURLToPath(new URL(`../${each}`, import.meta.url)), join(clone, each), {
      recursive: true,
    })
  }
})
afterAll(() => scratch.remove())

/** By another name its code is loaded again. */
beforeEach(async () => {
  number += 1
  const next = join(scratch.path, String(number))
  renameSync(clone, next)
  clone = next
  asked = []
  answer = (_, res) => res.writeHead(404).end()
  standIn = createServer((req, res) => {
    asked.push(req.url ?? '')
    answer(req, res)
  })
  await new Promise<void>((listening) => standIn.listen(0, '127.0.0.1', listening))
  vi.stubEnv('HTTP_ENGINE_FROM', `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  standIn.closeAllConnections()
  standIn.close()
  rmSync(join(clone, '.engine'), { recursive: true, force: true })
})

const serve =
  (bytes: Uint8Array): RequestListener =>
  (_, res) =>
    res.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)

/** What the set-up says, in its one line. */
async function bring(withinMs = 60_000): Promise<string> {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  await setUp.bringEngine(clone, { say, track: () => undefined, withinMs })
  expect(said).toHaveLength(1)
  return said[0] ?? ''
}

/** As the server of the clone loads it. */
async function load(): Promise<HttpEngine> {
  const { loadHttpEngine } = await import(join(clone, 'src/edge/http/uws.ts'))
  return loadHttpEngine()
}

const binary = () => join(clone, '.engine', name)
const failed = /^HTTP engine: node:http\. The official uWebSockets\.js v20\.\d+\.0 cannot be had: /

describe('the official engine', () => {
  it.skipIf(real === null)('comes as one file, is tried, and serves', async () => {
    answer = serve(real ?? Buffer.alloc(0))
    expect(setUp.isEngineSettled(clone)).toBe(false)
    expect(await bring()).toMatch(/^HTTP engine: uWebSockets\.js v20\.\d+\.0, the official build$/)
    expect(asked).toEqual([expect.stringMatching(new RegExp(`^/raw/v20\\.\\d+\\.0/${name}$`))])
    expect(setUp.isEngineSettled(clone)).toBe(true)

    const engine = await load()
    expect(engine).toMatchObject({ kind: 'uws_official', why: null })
    const here = route('GET', '/here', 'public', async () => ok({ here: true }))
    const at = await testServer(engine, [here])
    expect(await (await fetch(`${at.url}/here`)).json()).toEqual({ here: true })
    await at.server.stop(1_000)
  })

  it.skipIf(real === null)('is pinned by the first that came', async () => {
    const bytes = real ?? Buffer.alloc(0)
    answer = serve(bytes)
    await bring()
    // Another one that would load as well.
    answer = serve(Buffer.concat([bytes, Buffer.from('x')]))
    rmSync(binary())
    expect(setUp.isEngineSettled(clone)).toBe(false)
    expect(await bring()).toMatch(/what came has the SHA-256 \w{64}, and what came before had /)
    expect(existsSync(binary())).toBe(false)
    expect(await load()).toMatchObject({ kind: 'node_http', why: /SHA-256/ })
    // The first one is taken again, later.
    answer = serve(bytes)
    await bring()
    expect((await load()).kind).toBe('uws_official')
  })

  it.skipIf(real === null)('is not loaded when it has changed where it lies', async () => {
    answer = serve(real ?? Buffer.alloc(0))
    await bring()
    writeFileSync(binary(), 'x', { flag: 'a' })
    expect(await load()).toMatchObject({ kind: 'node_http', why: /is not what was fetched/ })
    expect(setUp.isEngineSettled(clone)).toBe(false)
  })

  it.skipIf(real === null)('is brought by several at once', async () => {
    answer = serve(real ?? Buffer.alloc(0))
    const script = `
      const [file, root] = process.argv.slice(1)
      const { bringEngine } = await import(file)
      await bringEngine(root, { say: console.log, track() {} })`
    const file = join(clone, 'src/start-engine.js')
    const words = ['--input-type=module', '-e', script, file, clone]
    const one = () => promisify(execFile)(process.execPath, words)
    for (const { stdout } of await Promise.all([one(), one(), one()])) {
      expect(stdout).toContain('the official build')
    }
    expect((await load()).kind).toBe('uws_official')
  })

  it('may be none', async () => {
    expect(await bring()).toMatch(failed)
    expect(await load()).toMatchObject({ kind: 'node_http', why: /answered 404/ })
    // It is not asked for again at every start.
    expect(setUp.isEngineSettled(clone)).toBe(true)
  })

  it('may be out of reach', async () => {
    standIn.close()
    expect(await bring()).toMatch(/cannot be had: http.*ECONNREFUSED/)
    expect((await load()).kind).toBe('node_http')
  })

  it('may not come in time', async () => {
    answer = () => undefined
    expect(await bring(500)).toMatch(/did not come within 0.5 s$/)
    expect((await load()).kind).toBe('node_http')
  })

  it('may come by half', async () => {
    answer = (_, res) => {
      res.writeHead(200, { 'Content-Length': 1_000_000 })
      res.write(Buffer.alloc(500_000), () => res.destroy())
    }
    expect(await bring()).toMatch(failed)
    expect(existsSync(binary())).toBe(false)
  })

  it('may say that it is half of itself', async () => {
    const path = join(scratch.path, 'half')
    writeFileSync(path, real ?? Buffer.alloc(1_000_000))
    truncateSync(path, 500_000)
    answer = serve(readFileSync(path))
    expect(await bring()).toMatch(/it cannot be loaded here/)
    expect((await load()).kind).toBe('node_http')
  })

  it('may be for elsewhere', async () => {
    answer = serve(Buffer.from('\x7fELF of another kind'))
    expect(await bring()).toMatch(/it cannot be loaded here \(it: .+\)$/)
    expect((await load()).kind).toBe('node_http')
  })

  it('may find no room for itself', async () => {
    writeFileSync(join(clone, '.engine'), '')
    expect(await bring()).toMatch(failed)
    expect((await load()).kind).toBe('node_http')
  })

  it('is left alone where it is told to be', () => {
    vi.stubEnv('HTTP_ENGINE_FROM', 'off')
    expect(setUp.isEngineSettled(clone)).toBe(true)
  })

  it.each(['ftp://a/b', 'http://example.com/uws', 'somewhere'])('does not come from %s', (from) => {
    vi.stubEnv('HTTP_ENGINE_FROM', from)
    expect(() => setUp.isEngineSettled(clone)).toThrow(/HTTP_ENGINE_FROM must be 'off' or an https/)
  })
})

function realBinary(): Buffer | null {
  try {
    return readFileSync(require.resolve(`${setUp.prebuilt()}/uws.node`))
  } catch {
    return null
  }
}
