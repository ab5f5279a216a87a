import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operate } from '../support/process/operator.ts'
import type { Server } from '../support/process/server.ts'
import { scratchDirectory, sluice, startServer } from '../support/process/server.ts'
import { timesOf } from '../support/run/long.ts'

const scratch = scratchDirectory()
const environment = { DATA_DIR: join(scratch.path, 'data'), HOST: '0.0.0.0' }
let server: Server
let businessId: string
beforeAll(async () => {
  server = await startServer(environment)
  const made = ['business', 'create', '--name', 'Acme', '--rate-tier', 'unlimited']
  businessId = String((await answerOf(made))['business_id'])
}, 60_000)
afterAll(async () => {
  await server.stop()
  scratch.remove()
})

it('metrics are for this machine alone, whomever the API is for', async () => {
  const { ops_url: ops, test_url: test } = server.ready
  expect(test).toMatch(/^http:\/\/0\.0\.0\.0:/)
  expect(ops).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect((await fetch(`${ops}/healthz`)).status).toBe(200)
  const metrics = await (await fetch(`${ops}/metrics`)).text()
  expect(metrics).toMatch(/^sluice_http_engine\{kind="(uws_official|uws_prebuilt|node_http)"\} 1$/m)
  const elsewhere = String(ops).replace('127.0.0.1', '127.0.0.2')
  await expect(fetch(`${elsewhere}/healthz`)).rejects.toThrow()
})

it('all that is written is for this user alone', async () => {
  const open = everythingIn(environment.DATA_DIR).filter((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    // The mode of a symbolic link means nothing.
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  })
  expect(open).toEqual([])
})

it('a read-only key reads no secret, and no webhook of test mode looks about inside', async () => {
  const [write, read] = [await key('test'), await key('test', '--read-only')]
  const made = await call('/webhooks', write, { url: 'https://example.com/hooks' })
  const { id } = (await made.json()) as { readonly id: string }
  expect((await call(`/webhooks/${id}`, read)).status).toBe(200)
  const refused = await call(`/webhooks/${id}/secret`, read)
  expect([refused.status, await refused.json()]).toEqual([
    403,
    {
      code: 'UNAUTHORIZED',
      message: expect.any(String),
      doc_url: '/docs/requests#keys-and-modes',
    },
  ])
  expect((await call(`/webhooks/${id}/secret`, write)).status).toBe(200)
  for (const url of ['http://127.0.0.1:5432/', 'http://localhost:1/', 'http://[::1]/']) {
    expect((await call('/webhooks', write, { url })).status).toBe(422)
  }
})

const readsMin = timesOf('READS', { short: 20, long: 60 })

it('who tries keys out keeps nobody from reading with a good one', async () => {
  const good = await Promise.all(Array.from({ length: 6 }, () => key('test')))
  let over = false
  const guesses = Array.from({ length: 100 }, async () => {
    const seen = new Set<number>()
    while (!over) {
      // A key in the form of the first ones, without a checksum, so that the store has to be asked.
      const guess = `slc_test_rw_${randomBytes(32).toString('base64url')}`
      seen.add((await call('/customers', guess)).status)
    }
    return [...seen]
  })
  const reads: string[] = []
  for (let time = 0; time < readsMin; time += 1) {
    const answer = await call('/customers', good[time % good.length] ?? '')
    reads.push(`${answer.status} ${answer.status === 200 ? '' : await answer.text()}`)
  }
  over = true
  const seen = (await Promise.all(guesses)).flat()
  expect(new Set(reads)).toEqual(new Set(['200 ']))
  expect(new Set(seen)).toEqual(new Set([401, 429]))
})

it('a data directory that others can read is not opened', async () => {
  await server.stop()
  chmodSync(environment.DATA_DIR, 0o755)
  const refused = await sluice(['serve'], environment)
  expect([refused.status, refused.error]).toEqual([2, expect.stringContaining('chmod -R go-rwx')])
  chmodSync(environment.DATA_DIR, 0o700)
  const unusable = await sluice(['serve'], { ...environment, OPS_HOST: '192.0.2.1' })
  expect([unusable.status, unusable.error]).toEqual([2, expect.stringContaining('OPS_HOST')])
})

const answerOf = (words: readonly string[]) => operate(environment, words)

async function key(mode: string, ...more: string[]): Promise<string> {
  const words = ['keys', 'create', '--business', businessId, '--mode', mode, ...more]
  return String((await answerOf(words))['api_key'])
}

function call(path: string, bearer: string, body?: object): Promise<Response> {
  const url = String(server.ready['test_url']).replace('0.0.0.0', '127.0.0.1')
  const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return fetch(url + path, { headers, ...sent })
}

const everythingIn = (path: string): readonly string[] => [
  path,
  ...readdirSync(path, { recursive: true }).map((name) => join(path, String(name))),
]
