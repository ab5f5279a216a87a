import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Outcome } from '../support/process/server.ts'
import {
  processesNaming,
  scratchDirectory,
  sluice,
  startServer,
} from '../support/process/server.ts'
import { itAtLength } from '../support/run/at-length.ts'

const scratch = scratchDirectory()
const run = (...words: string[]) => sluice(words, { DATA_DIR: scratch.path })
const json = ({ out }: Outcome) => JSON.parse(out) as Record<string, string>

afterAll(() => {
  expect(processesNaming(scratch.path)).toEqual([])
  scratch.remove()
})

/** What an operator does, on a store with or without a running server. */
async function story(): Promise<void> {
  const made = await run('business', 'create', '--name', 'Acme', '--json')
  expect([made.status, made.error]).toEqual([0, ''])
  const id = json(made)['business_id'] ?? ''
  expect(id).toMatch(/^bus_/)

  const limited = await run('business', 'limit', id, '--rate-tier', '10/100', '--json')
  expect(json(limited)).toEqual({ business_id: id, rate_tier: '10/100' })

  const words = ['keys', 'create', '--business', id, '--mode', 'live', '--read-only', '--json']
  const key = json(await run(...words))
  expect(key).toMatchObject({ mode: 'live', access: 'read' })
  expect(key['api_key']).toMatch(/^slc_live_ro_/)

  const old = [...words.filter((word) => word !== '--read-only'), '--backfill', 'PT23H']
  expect(json(await run(...old))).toMatchObject({ mode: 'live', access: 'write' })

  const listed = await run('keys', 'list', '--business', id, '--json')
  expect(JSON.parse(listed.out)).toMatchObject({
    items: [{}, { key_id: key['key_id'], business_id: id, mode: 'live', revoked_at: null }],
  })
  expect(listed.out).not.toContain(key['api_key'])

  const file = join(scratch.path, 'table.csv')
  writeFileSync(file, 'country,region,category,rate_percent\nDE,,,19\nUS,CA,saas,8.875\n')
  const taxed = await run('taxes', 'import', file, '--business', id, '--json')
  expect(json(taxed)).toEqual({ business_id: id, rates: 2 })
  const wrong = await run('fees', 'import', file, '--business', id)
  const header = 'The first line must be kind,percent,fixed_minor,currency.'
  expect([wrong.status, wrong.error]).toEqual([1, expect.stringContaining(header)])

  writeFileSync(file, Buffer.from('country,region,category,rate_percent\nDE,\xe9,,19\n', 'latin1'))
  const torn = await run('taxes', 'import', file, '--business', id)
  expect([torn.status, torn.error]).toEqual([1, expect.stringContaining('is not UTF-8')])

  const revoked = await run('keys', 'revoke', key['key_id'] ?? '', '--json')
  expect(json(revoked)).toMatchObject({ key_id: key['key_id'] })
}

describe('sluice, without a server', () => {
  it('brings the database up to date once', async () => {
    const first = json(await run('migrate', '--json'))
    expect(first['from']).toBe(0)
    expect(json(await run('migrate', '--json'))).toEqual({ from: first['to'], to: first['to'] })
  })

  itAtLength('makes businesses and keys, and ends its PostgreSQL again', {}, async () => {
    await story()
    expect(processesNaming(scratch.path)).toEqual([])
  })

  it('lets several commands run at once', async () => {
    const names = ['a', 'b', 'c']
    const made = await Promise.all(names.map((name) => run('business', 'create', '--name', name)))
    expect(made.map(({ status, error }) => [status, error])).toEqual(names.map(() => [0, '']))
  })

  it('lets a server start while a command runs, and a command while a server starts', async () => {
    const started = [
      startServer({ DATA_DIR: scratch.path }),
      run('keys', 'list', '--business', 'x'),
    ]
    const [server] = await Promise.all([started[0], started[1]])
    expect(server !== undefined && 'stop' in server && (await server.stop()).status).toBe(0)
  })
})

describe('sluice, beside a server', () => {
  it('makes businesses and keys on its PostgreSQL, and leaves that running', async () => {
    const server = await startServer({ DATA_DIR: scratch.path })
    await story()
    const readyz = async () => (await fetch(`${server.ready['ops_url']}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    expect((await server.stop()).status).toBe(0)
  })
})

const liveKey = ['keys', 'create', '--business', 'b', '--mode', 'live'] as const

describe('sluice refuses', () => {
  it.each([
    ['nothing to do', [], 'Say what to do'],
    ['an unknown command', ['dance'], "no command 'dance'"],
    ['an unknown option', ['migrate', '--fast'], '--fast'],
    ['an argument too many', ['migrate', 'now'], 'Usage: sluice migrate'],
    ['an argument too few', ['keys', 'revoke'], 'Usage: sluice keys revoke KEY_ID'],
    ['a missing option', ['business', 'create'], '--name is missing'],
    ['a wrong tier', ['business', 'create', '--name', 'a', '--rate-tier', '9'], '--rate-tier must'],
    ['a wrong mode', ['keys', 'create', '--business', 'b', '--mode', 'x'], '--mode must be test'],
    ['too long a backfill', [...liveKey, '--backfill', '24h'], 'of at most 23h'],
    ['no backfill', [...liveKey, '--backfill', 'P1M'], '--backfill must be a duration'],
    ['a backfill to read', [...liveKey, '--read-only', '--backfill', '2h'], 'that may write'],
    ['no duration', ['clock', 'advance', 'XX', '--business', 'b'], 'DURATION must be an ISO 8601'],
    ['a wrong role', ['serve', '--roles', 'http,cook'], "not 'cook'"],
    ['half of an embedded log', ['serve', '--roles', 'http'], 'add billing, archive to --roles'],
  ])('%s with status 2', async (_, words, message) => {
    const ended = await run(...words)
    expect([ended.status, ended.out]).toEqual([2, ''])
    expect(ended.error).toContain(message)
  })

  it('what is not there with status 1', async () => {
    for (const words of [
      ['business', 'limit', 'bus_nobody', '--rate-tier', '1'],
      ['keys', 'create', '--business', 'bus_nobody', '--mode', 'test'],
      ['keys', 'list', '--business', 'bus_nobody'],
      ['keys', 'revoke', 'key_nobody'],
      ['verify', '--business', 'bus_nobody'],
    ]) {
      const ended = await run(...words)
      expect([ended.status, ended.out]).toEqual([1, ''])
      expect(ended.error).toMatch(/^There is no (business|key) with the id '\w+'\.\n$/)
    }
  })

  it('nothing to somebody who asks for help', async () => {
    for (const words of [['help'], ['--help'], ['keys', 'create', '--help'], ['help', 'migrate']]) {
      const ended = await run(...words)
      expect([ended.status, ended.error]).toEqual([0, ''])
      expect(ended.out).toMatch(/^Usage: sluice/)
    }
  })
})
