import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StubGateway } from '../support/process/gateway.ts'
import { stubGateway } from '../support/process/gateway.ts'
import type { Launched } from '../support/process/server.ts'
import { launch, scratchDirectory } from '../support/process/server.ts'

let scratch: ReturnType<typeof scratchDirectory>
let gateway: StubGateway
const launched: Launched[] = []

beforeEach(async () => {
  scratch = scratchDirectory()
  gateway = await stubGateway()
})

afterEach(async () => {
  for (const { child, ended } of launched.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  await gateway.close()
  scratch.remove()
})

const patience = { timeout: 60_000 }

describe('a sidecar that reads stdin', () => {
  const lineOf = (id: string): string =>
    JSON.stringify({ event_id: id, customer_id: 'cus', event_name: 'call' })

  const piped = () => {
    const process = launch(['sidecar', '--stdin', '--json'], {
      SIDECAR_UPSTREAM: gateway.url,
      SIDECAR_KEY: 'slc_test_rw_key',
      SPOOL_DIR: join(scratch.path, 'spool'),
      SIDECAR_LINGER: '5ms',
    })
    launched.push(process)
    return process
  }

  it('brings a line each, and ends with 0 when all of them are at the gateway', async () => {
    gateway.mood = { status: 503 }
    const { child, ended } = piped()
    const ids = Array.from({ length: 2_500 }, (_, index) => `e${index}`)
    child.stdin?.end(ids.map((id) => `${lineOf(id)}\n`).join(''))
    await expect.poll(() => gateway.keys.size, patience).toBe(1)
    gateway.mood = 'take'
    const { status, out, error } = await ended
    expect([status, JSON.parse(out)], error).toMatchObject([
      0,
      { taken: 2_500, refused: 0, waiting: 0, stopped: null },
    ])
    expect([...gateway.taken.keys()]).toEqual(ids)
  })

  it('puts lines that hold no event aside, says how many, and ends with 1', async () => {
    const { child, ended } = piped()
    child.stdin?.end(`${lineOf('a')}\nnonsense\n\n{"event_id":"b"}\n${lineOf('c')}`)
    const { status, out, error } = await ended
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ taken: 2, refused: 2 })
    expect(error).toContain('2 refused: see ')
    expect([...gateway.taken.keys()]).toEqual(['a', 'c'])
    const dead = readFileSync(join(scratch.path, 'spool/dead.ndjson'), 'utf8').trimEnd().split('\n')
    expect(dead.map((line) => JSON.parse(line))).toMatchObject([
      { line: 2, text: 'nonsense', reason: { status: 400, code: 'INVALID_REQUEST_BODY' } },
      { line: 4, reason: { status: 422, message: expect.stringContaining('customer_id') } },
    ])
  })

  it('keeps what it has read where it is told to stop, and ends with 1', async () => {
    gateway.mood = 'hang'
    const { child, ended } = piped()
    child.stdin?.write(`${lineOf('a')}\n`)
    await expect.poll(() => gateway.keys.size, patience).toBe(1)
    child.kill('SIGTERM')
    const { status, out, error } = await ended
    expect([status, JSON.parse(out)]).toMatchObject([
      1,
      { taken: 1, waiting: 1, stopped: 'SIGTERM' },
    ])
    expect(error).toContain('SIGTERM came before the end: 1 event still in the spool.')
    gateway.mood = 'take'
    const next = piped()
    next.child.stdin?.end()
    expect(await next.ended).toMatchObject({ status: 0 })
    expect([...gateway.taken.keys()]).toEqual(['a'])
  })
})
