import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Server } from '../support/process/server.ts'
import { launch, scratchDirectory, sluice, startServer } from '../support/process/server.ts'

const scratch = scratchDirectory()
const directory = join(scratch.path, 'data')
let server: Server
let key: string
let environment: Record<string, string>

beforeAll(async () => {
  server = await startServer({ DATA_DIR: directory })
  key = server.ready['api_key'] ?? ''
  const portOf = (name: string) => new URL(server.ready[name] ?? '').port
  environment = {
    DATA_DIR: directory,
    PORT: portOf('test_url'),
    LIVE_PORT: portOf('live_url'),
    OPS_PORT: portOf('ops_url'),
  }
}, 300_000)
afterAll(async () => {
  await server.stop()
  scratch.remove()
})

const api = (...words: string[]) => sluice(['api', ...words], environment)
const keyFile = join(directory, 'first-start.key')

describe('sluice api', () => {
  it('asks the running server, and writes what it answers as it came', async () => {
    const told = await api('GET', '/customers?page_size=5')
    const answer = await fetch(`${server.ready['test_url']}/customers?page_size=5`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(told).toMatchObject({ status: 0, error: '', out: await answer.text() })
  })

  it('sends JSON, as it is given or from a file', async () => {
    const made = await api('post', '/customers', '--data', '{"email":"a@example.com","name":"Ä"}')
    expect(made).toMatchObject({ status: 0, error: '' })
    const file = join(scratch.path, 'customer.json')
    writeFileSync(file, '{"name":"B"}')
    const { customer_id: id } = JSON.parse(made.out)
    const changed = await api('PATCH', `/customers/${id}`, '--data', `@${file}`)
    expect(JSON.parse(changed.out)).toMatchObject({ customer_id: id, name: 'B' })
    const missing = await api('POST', '/customers', '--data', '@/nowhere')
    expect(missing).toMatchObject({
      status: 1,
      out: '',
      error: '/nowhere cannot be read (ENOENT).\n',
    })
  })

  it('ends with 1 where it is refused, with the answer on stdout all the same', async () => {
    const absent = await api('GET', '/customers/cus_nobody')
    expect([absent.status, JSON.parse(absent.out)]).toMatchObject([1, { code: 'NOT_FOUND' }])
    const wrong = await api('GET', '/customers', '--key', 'slc_test_rw_none')
    expect([wrong.status, JSON.parse(wrong.out)]).toMatchObject([1, { code: 'UNAUTHORIZED' }])
    const bare = await api('POST', '/customers')
    expect([bare.status, JSON.parse(bare.out)]).toMatchObject([1, { code: 'INVALID_REQUEST_BODY' }])
  })

  it('asks live mode with a key of live mode', async () => {
    const words = ['keys', 'create', '--business', server.ready['business_id'] ?? '', '--json']
    const live = JSON.parse((await sluice([...words, '--mode', 'live'], environment)).out)
    const found = await api('GET', '/customers', '--key', live.api_key)
    expect([found.status, JSON.parse(found.out)]).toEqual([0, { items: [] }])
  })

  it('uses the key of the first start, and no file of it that others can read', async () => {
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    chmodSync(keyFile, 0o644)
    const open = await api('GET', '/customers')
    expect([open.status, open.out]).toEqual([1, ''])
    expect(open.error).toContain('can be read by other users')
    expect(open.error).not.toContain(key)
    expect((await api('GET', '/customers', '--key', key)).status).toBe(0)
    chmodSync(keyFile, 0o600)
    rmSync(keyFile)
    const none = await api('GET', '/customers')
    expect([none.status, JSON.parse(none.out).code]).toEqual([1, 'UNAUTHORIZED'])
    expect(none.error).toContain('add --key')
    expect(existsSync(`${keyFile}.new`)).toBe(false)
    expect((await api('GET', '/openapi.json')).status).toBe(0)
    writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
  })

  it.each([
    ['no method', ['DANCE', '/customers'], 'METHOD must be one of'],
    ['no path', ['GET', 'customers'], 'PATH must begin with a slash'],
    ['a path that is none', ['GET', '/a b'], 'PATH must begin with a slash'],
    ['a key that is none', ['GET', '/customers', '--key', 'a\nb'], '--key must be an API key'],
    ['an argument too few', ['GET'], 'Usage: sluice api METHOD PATH'],
  ])('refuses %s with status 2', async (_, words, message) => {
    const ended = await api(...words)
    expect([ended.status, ended.out]).toEqual([2, ''])
    expect(ended.error).toContain(message)
  })

  it('goes on with an answer that goes on, until it ends', async () => {
    const running = launch(['api', 'GET', '/webhooks/stream'], environment)
    let out = ''
    running.child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    await expect.poll(() => out).toMatch(/^retry: 1000\nid: whs_.*\n\n$/)
    await server.stop()
    expect(await running.ended).toMatchObject({ status: 0, error: '' })
    expect((await api('GET', '/customers')).error).toContain('No server answers at 127.0.0.1:')
  })
})
