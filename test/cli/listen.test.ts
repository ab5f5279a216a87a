import type { Server as HttpServer } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Launched, Server } from '../support/process/server.ts'
import { launch, scratchDirectory, sluice, startServer } from '../support/process/server.ts'
import { flatHeaders } from '../support/webhooks/one-endpoint.ts'
import type { Receiver, Respond } from '../support/webhooks/receiver.ts'
import { answer, openReceiver } from '../support/webhooks/receiver.ts'

const scratch = scratchDirectory()
const environment = { DATA_DIR: join(scratch.path, 'data') }
let server: Server
let [key, businessId, customerId, creditId] = ['', '', '', '']
const closing: (() => unknown)[] = []

beforeAll(async () => {
  server = await startServer(environment)
  key = server.ready['api_key'] ?? ''
  businessId = server.ready['business_id'] ?? ''
  customerId = (await listed('/customers'))[0]?.['customer_id'] ?? ''
  creditId = (await listed('/credit-entitlements'))[0]?.['id'] ?? ''
}, 300_000)
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(async () => {
  await server.stop()
  scratch.remove()
})

async function listed(path: string): Promise<readonly Record<string, string>[]> {
  const answer = await fetch(server.ready['test_url'] + path, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return ((await answer.json()) as { items: Record<string, string>[] }).items
}

/** One fact; answers the id of the entry that it tells. */
async function happen(): Promise<string> {
  const path = `/credit-entitlements/${creditId}/balances/${customerId}/ledger-entries`
  const answer = await fetch(server.ready['test_url'] + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: '1', entry_type: 'credit' }),
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

interface Listening extends Launched {
  readonly out: string
  readonly error: string
}

async function listening(...words: string[]): Promise<Listening> {
  const launched = launch(['listen', '--business', businessId, ...words], environment)
  let [out, error] = ['', '']
  launched.child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  launched.child.stderr?.on('data', (chunk: Buffer) => {
    error += chunk.toString()
  })
  closing.push(async () => {
    launched.child.kill('SIGTERM')
    await launched.ended
  })
  await expect.poll(() => out + error).toContain('Listening to the test-mode webhooks of')
  return {
    ...launched,
    get out() {
      return out
    },
    get error() {
      return error
    },
  }
}

const secretIn = (text: string): string => /whsec_[\w+/]+=*/.exec(text)?.[0] ?? ''

/** Ids of entries in what a receiver got, each message verified. */
function verified({ received }: Pick<Receiver, 'received'>, secret: string): readonly string[] {
  return received.map((one) => {
    const told = new Webhook(secret).verify(one.body, flatHeaders(one)) as {
      data: { id: string }
    }
    return told.data.id
  })
}

async function receiver(respond?: Respond): Promise<Receiver> {
  const opened = await openReceiver(respond)
  closing.push(opened.close)
  return opened
}

describe('sluice listen', () => {
  it('shows what happens, and posts it signed with the secret of the session', async () => {
    const local = await receiver()
    const one = await listening('--forward-to', local.url)
    const ids = [await happen(), await happen()]
    await expect
      .poll(() => one.out.split('\n').filter((line) => line.includes('msg_')))
      .toHaveLength(2)
    const secret = secretIn(one.out)
    expect(verified(local, secret)).toEqual(ids)
    for (const { id, headers, path } of local.received) {
      expect([headers['content-type'], path]).toEqual(['application/json', '/hooks'])
      expect(one.out).toMatch(
        new RegExp(
          `\\d\\d:\\d\\d:\\d\\d {2}credit\\.manual_adjustment +${id} {2}200 {2}\\d+ ms\\n`,
        ),
      )
    }
    one.child.kill('SIGINT')
    expect(await one.ended).toMatchObject({ status: 0, error: '' })
  })

  it('writes an object a line with --json, and nothing else', async () => {
    const local = await receiver(answer(204))
    const one = await listening('--json', '--forward-to', local.url, '--types', 'credit.added')
    const two = await listening('--json')
    await happen()
    const id = await happen()
    await expect.poll(() => two.out.split('\n')).toHaveLength(3)
    const [, line = ''] = two.out.split('\n')
    expect(JSON.parse(line)).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: 'credit.manual_adjustment',
      payload: expect.objectContaining({ data: expect.objectContaining({ id }) }),
    })
    expect([one.out, local.received]).toEqual(['', []])
    expect(secretIn(one.error)).not.toBe('')
  })

  it('tries what is not taken four times, and goes on', async () => {
    let refused = ''
    const local = await receiver((request, response) => {
      refused ||= request.id
      response.writeHead(request.id === refused ? 500 : 200).end()
    })
    const one = await listening('--json', '--forward-to', local.url)
    await happen()
    await happen()
    await expect.poll(() => one.out.split('\n')).toHaveLength(3)
    const lines = one.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { id: refused, status: 500, attempts: 4, error: 'status 500' },
      { status: 200, attempts: 1, error: null },
    ])
    expect(local.received.map(({ id }) => id === refused)).toEqual([true, true, true, true, false])
  })

  it('loses nothing, whichever of the two servers starts again', async () => {
    const got: { id: string; entry: string }[] = []
    let local: HttpServer | null = null
    let port = 0
    const open = async () => {
      local = createServer((request, response) => {
        let body = ''
        request.on('data', (chunk: Buffer) => {
          body += chunk.toString()
        })
        request.on('end', () => {
          got.push({ id: String(request.headers['webhook-id']), entry: JSON.parse(body).data.id })
          response.end()
        })
      })
      await new Promise<void>((done) => local?.listen(port, '127.0.0.1', done))
      port = (local.address() as AddressInfo).port
    }
    const close = async () => {
      local?.closeAllConnections()
      await new Promise((done) => local?.close(done) ?? done(null))
    }
    await open()
    closing.push(close)
    const one = await listening('--forward-to', `http://127.0.0.1:${port}/`)
    const ids = [await happen()]
    await close()
    for (let count = 0; count < 3; count += 1) ids.push(await happen())
    await expect.poll(() => one.error).toContain('is away (ECONNREFUSED): waiting for it.')
    await open()
    await expect.poll(() => got.map(({ entry }) => entry)).toEqual(ids)
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      ids.push(await happen())
      await server.stop(signal)
      await expect.poll(() => one.error).toContain('The server is away: waiting for it.')
      server = await startServer(environment)
      ids.push(await happen(), await happen())
      await expect.poll(() => [...new Set(got.map(({ entry }) => entry))]).toEqual(ids)
    }
    expect(one.error).not.toContain('not kept any more')
  })

  it('waits for a server that has not started yet, and does not keep it from starting', async () => {
    await server.stop()
    const one = await listening('--json')
    server = await startServer(environment)
    const id = await happen()
    await expect.poll(() => one.out).toContain(id)
  })

  it.each([
    ['no business', ['listen'], 2, '--business is missing'],
    ['a kind that there is not', ['listen', '--business', 'x', '--types', 'a'], 2, "no kind 'a'"],
    ['what is no URL', ['listen', '--business', 'x', '--forward-to', 'localhost:3'], 2, 'a URL'],
    ['a business that is not there', ['listen', '--business', 'bus_x'], 1, 'There is no business'],
  ])('refuses %s', async (_, words, status, message) => {
    const ended = await sluice(words, environment)
    expect([ended.status, ended.out]).toEqual([status, ''])
    expect(ended.error).toContain(message)
  })
})
