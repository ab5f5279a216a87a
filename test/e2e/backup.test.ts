import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { s3Environment, startS3Server } from '../support/files/s3-server.ts'
import { operated } from '../support/process/operator.ts'
import type { Server } from '../support/process/server.ts'
import { scratchDirectory, sluice, startServer } from '../support/process/server.ts'
import { itAtLength } from '../support/run/at-length.ts'
import { copyFolder } from '../support/run/copy-folder.ts'
import { expectFilesAt, keepFiles } from './kept-files.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'
import { world } from './world.ts'

const at = world()
const scratch = scratchDirectory()
afterAll(() => scratch.remove())

const credits = 1_000_000_000
const rich = () =>
  subscriber(at, {
    meters: [{ aggregation: { type: 'sum', key: 'n' } }],
    mapping: { credits_amount: String(credits) },
  })

interface Sent {
  readonly id: string
  readonly quantity: number
}

/**
 * Sends events in four lines, until it is told to stop or two thousand are sent; no faster than
 * needed.
 */
function load(one: Subscriber) {
  let going = true
  const answered: Sent[] = []
  const tried: Sent[] = []
  const lines = Array.from({ length: 4 }, async () => {
    while (going && tried.length < 2_000) {
      await sleep(20)
      const sent = { id: fresh('backup'), quantity: 1 + (tried.length % 5) }
      tried.push(sent)
      await one.use({ event_id: sent.id, metadata: { n: sent.quantity } })
      answered.push(sent)
    }
  })
  const stop = async () => {
    going = false
    await Promise.all(lines)
  }
  return { answered, tried, stop }
}

const sum = (sent: readonly Sent[]): number =>
  sent.reduce((total, { quantity }) => total + quantity, 0)

it('is taken under load, and restored it has all that was answered before, once', {
  timeout: 600_000,
}, async () => {
  const one = await rich()
  const running = load(one)
  await expect.poll(() => running.answered.length, { timeout: 60_000 }).toBeGreaterThan(200)
  const before = [...running.answered]
  const folder = join(scratch.path, 'hot')
  const made = await at.sluice('backup', folder)
  expect(made).toMatchObject({ path: folder, secrets_key: true })
  await running.stop()
  expect(running.answered.length).toBeGreaterThan(before.length)

  const directory = join(scratch.path, 'restored')
  const settings = { DATA_DIR: directory }
  const restored = await sluice(['restore', folder, '--json'], settings)
  expect([restored.status, restored.error]).toEqual([0, ''])
  const server = await startServer(settings)
  try {
    await expect.poll(() => measuredAll(server), { timeout: 60_000 }).toBe(true)
    const ids = await idsIn(server, one)
    const found = running.tried.filter(({ id }) => ids.has(id))
    expect(before.filter(({ id }) => !ids.has(id))).toEqual([])
    // Each request that came in during the backup is in it completely, or not at all.
    await expect.poll(() => spentIn(server, one), { timeout: 60_000 }).toBe(sum(found))
    // Repeats of what the backup has count nothing, from the first moment on; the rest can be sent
    // again.
    await sendTo(server, one, ...running.tried)
    await expect.poll(() => spentIn(server, one), { timeout: 60_000 }).toBe(sum(running.tried))
    const audit = await operated(settings, ['verify', '--json'])
    expect([audit.status, JSON.parse(audit.out)]).toMatchObject([0, { ok: true }])
  } finally {
    await server.stop()
  }
})

itAtLength(
  'is taken of a stopped server, too, and brings back its key and its files',
  {
    timeout: 600_000,
  },
  async () => {
    const one = await rich()
    await one.balance(await one.use({ metadata: { n: 7 } }))
    const kept = await keepFiles(at)
    await at.stop()
    const folder = join(scratch.path, 'cold')
    await at.sluice('backup', folder)
    await at.start()
    // What lay in a folder is kept in a storage from now on.
    const storage = await startS3Server(['shop'])
    const settings = { DATA_DIR: join(scratch.path, 'of cold'), ...s3Environment(storage, 'shop') }
    expect((await sluice(['restore', folder], settings)).out).toContain('send them again')
    const key = (directory: string) => readFileSync(join(directory, 'secrets.key'), 'utf8')
    expect(key(settings.DATA_DIR)).toBe(key(at.directory))
    const server = await startServer(settings)
    expect(await spentIn(server, one)).toBe(7)
    const files = join(settings.DATA_DIR, 'files')
    renameSync(files, `${files} of before`)
    await expectFilesAt(server.ready['test_url'] ?? '', at.keys.write, kept)
    const digest = createHash('sha256').update(kept.book).digest('hex')
    expect(storage.objects.get(`shop/kept/${digest}`)?.equals(kept.book)).toBe(true)
    await server.stop()
    // It stays there, whatever is backed up of the data directory.
    const again = join(scratch.path, 'of the storage')
    const made = await sluice(['backup', again], settings)
    expect([made.status, existsSync(join(again, 'files'))]).toEqual([0, false])
    await storage.stop()
    // And without its storage nothing is restored that would lack its files.
    const cut = { ...settings, DATA_DIR: join(scratch.path, 'without its storage') }
    expect((await sluice(['restore', folder], cut)).status).toBe(1)
    expect((await sluice(['serve'], cut)).error).toContain('was cut short')
  },
)

it('refuses to overwrite, what is no backup, what is damaged, and what is not ours', {
  timeout: 600_000,
}, async () => {
  const folder = join(scratch.path, 'refused')
  await at.sluice('backup', folder)
  const here = { DATA_DIR: at.directory }
  const told = async (words: readonly string[], settings: Record<string, string>) => {
    const { error, out, status } = await operated(settings, words)
    expect(out).toBe('')
    return [status, error.trim().split('\n').at(-1)]
  }
  expect(await told(['backup', folder], here)).toEqual([
    2,
    `${folder} is there already: name another folder, or remove it.`,
  ])
  const empty = { DATA_DIR: join(scratch.path, 'empty') }
  expect(await told(['backup', join(scratch.path, 'none')], empty)).toEqual([
    2,
    expect.stringContaining('nothing to back up'),
  ])
  expect(await told(['restore', scratch.path], empty)).toEqual([
    2,
    expect.stringContaining('is no backup'),
  ])
  expect(await told(['restore', folder], here)).toEqual([
    2,
    expect.stringContaining('A server is running'),
  ])
  const full = { DATA_DIR: scratch.path }
  expect(await told(['restore', folder], full)).toEqual([
    2,
    expect.stringContaining('is not empty'),
  ])
  const foreign = {
    DATA_DIR: scratch.path,
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  expect(await told(['backup', join(scratch.path, 'other')], foreign)).toEqual([
    2,
    expect.stringContaining('DATABASE_URL is set'),
  ])
  writeFileSync(join(folder, 'log', 'data.mdb'), 'x', { flag: 'a' })
  expect(await told(['restore', folder], empty)).toEqual([
    1,
    expect.stringContaining('data.mdb is damaged'),
  ])
  expect(readdirSync(empty.DATA_DIR)).not.toContain('postgres')
  // Half a restore must not be taken for a new installation.
  const { error, out, status } = await sluice(['serve'], empty)
  expect([status, out, error]).toEqual([2, '', expect.stringContaining('was cut short')])
  expect(await told(['verify'], empty)).toEqual([2, expect.stringContaining('was cut short')])
})

it('catches an older database up from the log', { timeout: 600_000 }, async () => {
  const one = await rich()
  const early = Array.from({ length: 40 }, () => ({ id: fresh('early'), quantity: 3 }))
  await sendTo(at.server, one, ...early)
  await expect.poll(() => spentIn(at.server, one), { timeout: 60_000 }).toBe(120)
  await at.stop()
  const [postgres, older] = [join(at.directory, 'postgres'), join(scratch.path, 'older')]
  copyFolder(postgres, older)
  await at.start()
  const late = Array.from({ length: 40 }, () => ({ id: fresh('late'), quantity: 2 }))
  await sendTo(at.server, one, ...late)
  await expect.poll(() => spentIn(at.server, one), { timeout: 60_000 }).toBe(200)
  await archivedAll()
  await at.stop()
  rmSync(postgres, { recursive: true })
  renameSync(older, postgres)
  await at.start()
  await expect.poll(() => spentIn(at.server, one), { timeout: 60_000 }).toBe(200)
  // A second try is told so, because both halves are known by now.
  await sendTo(at.server, one, ...early, ...late)
  expect(await one.balance(await one.use({ metadata: { n: 1 } }))).toMatchObject({
    balance: String(credits - 201),
  })
  expect((await at.call(`GET /events/${encodeURIComponent(late[0]?.id ?? '')}`)).status).toBe(200)
  expect(await at.sluice('verify')).toMatchObject({ ok: true })
})

/** Waits until the archive has everything, so that the log could be trimmed. */
async function archivedAll(): Promise<void> {
  await expect
    .poll(async () => {
      const { status, headers } = await at.call('GET /events')
      const archivedTo = headers.get('sluice-archived-to') ?? ''
      return status === 200 && archivedTo > new Date(performance.timeOrigin).toISOString()
    })
    .toBe(true)
}

/** Ids of the customer's events that a server has measured. */
async function idsIn(server: Server, { customerId }: Subscriber): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (let page = 0; ; page += 1) {
    const query = `customer_id=${customerId}&page_size=100&page_number=${page}`
    const answer = await fetch(`${server.ready['test_url']}/events?${query}`, {
      headers: { authorization: `Bearer ${at.keys.write}` },
    })
    const { items } = (await answer.json()) as { items: readonly { event_id: string }[] }
    for (const { event_id } of items) ids.add(event_id)
    if (items.length < 100) return ids
  }
}

async function measuredAll(server: Server): Promise<boolean> {
  const text = await (await fetch(`${server.ready['ops_url']}/metrics`)).text()
  const lags = [...text.matchAll(/^sluice_log_lag_events\{.*\} (\d+)$/gm)]
  return lags.length === 4 && lags.every(([, lag]) => lag === '0')
}

async function sendTo(server: Server, one: Subscriber, ...sent: readonly Sent[]): Promise<void> {
  for (let from = 0; from < sent.length; from += 500) {
    const events = sent.slice(from, from + 500).map(({ id, quantity }) => ({
      event_id: id,
      customer_id: one.customerId,
      event_name: one.eventNames[0],
      metadata: { n: quantity },
    }))
    const answer = await fetch(`${server.ready['test_url']}/events/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${at.keys.write}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
  }
}

async function spentIn(server: Server, one: Subscriber): Promise<number> {
  const path = `/credit-entitlements/${one.creditId}/balances/${one.customerId}`
  const answer = await fetch(`${server.ready['test_url']}${path}`, {
    headers: { authorization: `Bearer ${at.keys.write}` },
  })
  return credits - Number(((await answer.json()) as { balance: string }).balance)
}
