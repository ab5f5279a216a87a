import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { talk } from '../support/edge/talk.ts'
import type { StubGateway } from '../support/process/gateway.ts'
import { stubGateway } from '../support/process/gateway.ts'
import type { Environment, Launched } from '../support/process/server.ts'
import { scratchDirectory, sluice } from '../support/process/server.ts'
import type { Sidecar } from '../support/process/sidecar.ts'
import { startSidecar } from '../support/process/sidecar.ts'

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

const settings = (more: Environment = {}): Environment => ({
  SIDECAR_UPSTREAM: gateway.url,
  SIDECAR_KEY: 'slc_test_rw_key',
  SIDECAR_LISTEN: '127.0.0.1:0',
  SPOOL_DIR: join(scratch.path, 'spool'),
  SIDECAR_LINGER: '5ms',
  ...more,
})

async function start(more: Environment = {}): Promise<Sidecar> {
  const process = await startSidecar(settings(more))
  launched.push(process)
  return process
}

const bodyOf = (ids: readonly string[], more: object = {}): string =>
  JSON.stringify({
    events: ids.map((id) => ({ event_id: id, customer_id: 'cus', event_name: 'call', ...more })),
  })

const post = (url: string, body: string): Promise<Response> =>
  fetch(`${url}/events/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

const metric = async (opsUrl: string, name: string): Promise<number> => {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return Number(new RegExp(`^sluice_sidecar_${name} (.*)$`, 'm').exec(text)?.[1])
}

const patience = { timeout: 60_000 }

describe('a sidecar', () => {
  it('takes events, and brings them with its key and the time of their receipt', async () => {
    const { child, ended, listens, ops_url: ops } = await start()
    const before = Date.now()
    const answer = await post(listens, bodyOf(['a', 'b'], { metadata: { tokens: 7 } }))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ ingested_count: 2 })
    await expect.poll(() => gateway.taken.size, patience).toBe(2)
    expect([...gateway.keys]).toEqual(['Bearer slc_test_rw_key'])
    expect(gateway.events[0]).toMatchObject({ customer_id: 'cus', metadata: { tokens: 7 } })
    const at = Date.parse(gateway.events[0]?.timestamp ?? '')
    expect(at).toBeGreaterThanOrEqual(before - 1_000)
    expect(at).toBeLessThanOrEqual(Date.now() + 1_000)
    await expect.poll(() => metric(ops, 'forwarded_events_total'), patience).toBe(2)
    expect(await metric(ops, 'spool_events')).toBe(0)
    expect(await (await fetch(`${ops}/readyz`)).json()).toMatchObject({ ready: true })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 0 })
  })

  it('refuses what a gateway would refuse, in its words', async () => {
    const { listens } = await start()
    const refusal = async (body: string) => {
      const answer = await post(listens, body)
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    expect(await refusal('{"events":')).toEqual([400, 'INVALID_REQUEST_BODY'])
    expect(await refusal('{"events":[]}')).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(await refusal('{"events":[{"event_id":"a"}]}')).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(await refusal(bodyOf(['a', 'a']))).toEqual([400, 'DUPLICATE_EVENT_IDS'])
    const ahead = bodyOf(['a'], { timestamp: '2999-01-01T00:00:00Z' })
    expect(await refusal(ahead)).toEqual([400, 'EVENT_TIMESTAMP_OUT_OF_RANGE'])
    const huge = bodyOf(['a'], { metadata: { n: 1 } }).replace('"n":1', '"n":1e30')
    expect(await refusal(huge)).toEqual([400, 'INVALID_REQUEST_PARAMETERS'])
    expect(gateway.taken.size).toBe(0)
  })

  it('takes CloudEvents, and brings them as usage events', async () => {
    const { listens } = await start()
    const { id, ...event } = {
      specversion: '1.0',
      id: 'ce-1',
      source: '/gpu',
      type: 'gpu.seconds',
      subject: 'cus',
      data: { seconds: 3 },
    }
    const sent = async (body: object) => {
      const answer = await fetch(`${listens}/events/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/cloudevents+json' },
        body: JSON.stringify(body),
      })
      return answer.status
    }
    expect(await sent(event)).toBe(422)
    expect(await sent({ id, ...event })).toBe(200)
    await expect.poll(() => [...gateway.taken.keys()], patience).toEqual(['ce-1'])
    const metadata = { seconds: 3 }
    expect(gateway.events).toMatchObject([
      { customer_id: 'cus', event_name: 'gpu.seconds', metadata },
    ])
  })

  it('takes a body byte by byte, and nothing of one that ends in the middle', async () => {
    const { listens } = await start()
    const port = Number(new URL(listens).port)
    const body = bodyOf(['slow'])
    const head = `POST /events/ingest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const cut = talk(port)
    cut.send(head + body.slice(0, -3).replace('slow', 'gone'))
    cut.destroy()
    const slow = talk(port)
    slow.send(head)
    for (const byte of body) slow.send(byte)
    expect((await slow.answer()).status).toBe(200)
    slow.destroy()
    await expect.poll(() => [...gateway.taken.keys()], patience).toEqual(['slow'])
  })

  it('loses nothing by kill -9 with a gateway that comes and goes', async () => {
    const answered: string[] = []
    const moods = ['lost', 'take', { status: 503 }, 'take'] as const
    let serial = 0
    for (const mood of moods) {
      gateway.mood = mood
      const { child, ended, listens } = await start()
      const sending = Array.from({ length: 4 }, async () => {
        for (let sent = 0; sent < 500; sent += 1) {
          serial += 1
          const ids = [0, 1, 2].map((of) => `e${serial}-${of}`)
          const answer = await post(listens, bodyOf(ids)).catch(() => null)
          if (answer?.status !== 200) return
          answered.push(...ids)
        }
      })
      const enough = answered.length + 60
      await expect.poll(() => answered.length, patience).toBeGreaterThan(enough)
      child.kill('SIGKILL')
      await Promise.all([ended, ...sending])
    }
    // What a crash in the middle of a write could have left.
    const spool = join(scratch.path, 'spool')
    mkdirSync(spool, { recursive: true })
    writeFileSync(join(spool, '0000099999.spool'), Buffer.alloc(33, 7))
    gateway.mood = 'take'
    const { ops_url: ops } = await start()
    await expect.poll(() => metric(ops, 'spool_events'), patience).toBe(0)
    expect(answered.filter((id) => !gateway.taken.has(id))).toEqual([])
  })

  it('answers 503 when the spool is full, and loses nothing that it took', async () => {
    gateway.mood = 'hang'
    const { listens, ops_url: ops } = await start({ SPOOL_MAX: '2KiB' })
    const taken: string[] = []
    let refused: Response | null = null
    for (let index = 0; refused === null; index += 1) {
      const answer = await post(listens, bodyOf([`e${index}`]))
      if (answer.status === 200) taken.push(`e${index}`)
      else refused = answer
    }
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await fetch(`${ops}/readyz`)).status).toBe(503)
    const spool = join(scratch.path, 'spool')
    const used = readdirSync(spool)
      .filter((name) => name.endsWith('.spool'))
      .reduce((sum, name) => sum + statSync(join(spool, name)).size, 0)
    expect(used).toBeLessThanOrEqual(2_048)
    launched[0]?.child.kill('SIGKILL')
    await launched[0]?.ended
    gateway.mood = 'take'
    await start()
    await expect.poll(() => [...gateway.taken.keys()].sort(), patience).toEqual(taken.sort())
  })

  it('listens on a Unix socket, one at a time', async () => {
    const path = join(scratch.path, 'events.sock')
    const { listens } = await start({ SIDECAR_LISTEN: path })
    expect(listens).toBe(path)
    expect(statSync(path).mode & 0o777).toBe(0o660)
    const status = await new Promise<number>((done, failed) => {
      const sent = request({
        socketPath: path,
        path: '/events/ingest',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      })
      sent.once('error', failed)
      sent.once('response', (response) => done(response.resume().statusCode ?? 0))
      sent.end(bodyOf(['a']))
    })
    expect(status).toBe(200)
    await expect.poll(() => gateway.taken.size, patience).toBe(1)
    const elsewhere = { SIDECAR_LISTEN: path, SPOOL_DIR: join(scratch.path, 'other') }
    const second = await sluice(['sidecar'], settings(elsewhere))
    expect(second).toMatchObject({ status: 2 })
    expect(second.error).toContain('is taken')
  })

  it('refuses a second one on its spool, and settings that cannot work', async () => {
    await start()
    const second = await sluice(['sidecar'], settings())
    expect(second.status).toBe(2)
    expect(second.error).toContain('Another sidecar uses SPOOL_DIR')
    const file = join(scratch.path, 'file')
    writeFileSync(file, 'kept')
    for (const [listen, problem] of [
      [file, `SIDECAR_LISTEN ${file} cannot be made`],
      [join(scratch.path, 'none/a.sock'), 'cannot be made: name a socket in a folder'],
      ['192.0.2.1:8090', 'SIDECAR_LISTEN 192.0.2.1 is not an address of this machine.'],
    ] as const) {
      const other = { SIDECAR_LISTEN: listen, SPOOL_DIR: join(scratch.path, 'other') }
      const refused = await sluice(['sidecar'], settings(other))
      expect(refused).toMatchObject({ status: 2, error: expect.stringContaining(problem) })
    }
    expect(readFileSync(file, 'utf8')).toBe('kept')
  })

  it('reads its key from a file again when that has changed', async () => {
    const path = join(scratch.path, 'key')
    writeFileSync(path, 'first\n')
    gateway.mood = { status: 401, body: { code: 'UNAUTHORIZED', message: 'No.' } }
    const { listens, ops_url: ops } = await start({ SIDECAR_KEY: '', SIDECAR_KEY_FILE: path })
    await post(listens, bodyOf(['a']))
    await expect.poll(() => metric(ops, 'retries_total'), patience).toBeGreaterThan(0)
    expect(readFileSync(join(scratch.path, 'spool/dead.ndjson'), 'utf8')).toBe('')
    writeFileSync(path, 'second\n')
    gateway.mood = 'take'
    await expect.poll(() => gateway.taken.size, patience).toBe(1)
    expect([...gateway.keys].at(-1)).toBe('Bearer second')
  })
})
