import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { s3Environment, startS3Server } from '../support/files/s3-server.ts'
import { operate } from '../support/process/operator.ts'
import type { Environment, Server } from '../support/process/server.ts'
import { launch, scratchDirectory, sluice, startServer } from '../support/process/server.ts'
import { itAtLength } from '../support/run/at-length.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { distributedMissing, openDistributed } from './distributed-parts.ts'
import type { KeptFiles } from './kept-files.ts'
import { expectFilesAt, keepFiles } from './kept-files.ts'
import type { SentEvent } from './moved-places.ts'
import { audited, callerWith, claimed, credits, told, until } from './moved-places.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'
import { world } from './world.ts'

const patient = { timeout: 120_000, interval: 50 }
const at = world()
const { accepted, eventsIn, get, messagesOf, send, spentIn, statusAfter } = callerWith(
  () => at.keys.write,
)
const scratch = scratchDirectory()
afterAll(() => scratch.remove())

/** A place to import into. */
interface Target {
  readonly environment: Environment
  close(): Promise<void>
}

/** What was there before the move, and what it must be worth after it. */
interface Before {
  readonly one: Subscriber
  readonly sent: readonly SentEvent[]
  readonly spent: number
  readonly positions: readonly string[]
  readonly folder: string
  readonly webhook: { readonly id: string; readonly secret: string }
  readonly messages: readonly string[]
  readonly files: KeptFiles
}

let before: Before | null = null
const moved = (): Before => {
  if (before === null) throw new Error('Nothing was exported.')
  return before
}

it('exports a stopped installation, killed and run again', { timeout: 300_000 }, async () => {
  const one = await subscriber(at, {
    meters: [{ aggregation: { type: 'sum', key: 'n' } }],
    mapping: { credits_amount: String(credits) },
  })
  // Nobody listens there until the installation has moved.
  const { id } = await at.client().webhooks.create({ url: 'http://127.0.0.1:9/' })
  const { secret } = await at.client().webhooks.retrieveSecret(id)
  const files = await keepFiles(at)
  const positions = [await one.use({ metadata: { n: 1 } })]
  await one.balance(positions[0])
  await expect.poll(() => messagesOf(at.url(), id), patient).not.toEqual([])
  const messages = await messagesOf(at.url(), id)
  const sent: SentEvent[] = []
  // The last of them are answered, and not measured before the kill; most are not archived.
  for (let batch = 0; batch < 24; batch += 1) {
    const events = Array.from({ length: 125 }, (_, index) => ({
      event_id: fresh('moving'),
      customer_id: one.customerId,
      event_name: one.eventNames[0] ?? '',
      metadata: { n: 1 + (index % 7) },
    }))
    positions.push(await accepted(at.url(), events))
    sent.push(...events)
  }
  await at.stop('SIGKILL')

  const folder = join(scratch.path, 'export')
  const cut = launch(['export', folder], { DATA_DIR: at.directory })
  await until(() => existsSync(join(`${folder}.partial`, 'store')), cut.ended)
  cut.child.kill('SIGKILL')
  expect((await cut.ended).signal).toBe('SIGKILL')
  expect(existsSync(folder)).toBe(false)

  const settings = { DATA_DIR: at.directory }
  const made = await operate(settings, ['export', folder])
  expect(made).toMatchObject({ path: folder, served: false, secrets_key: true })
  expect(made['events']).toBeGreaterThan(0)
  expect(existsSync(`${folder}.partial`)).toBe(false)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0])
  }
  const key = readFileSync(join(folder, 'secrets.key'), 'utf8')
  expect(key).toBe(readFileSync(join(at.directory, 'secrets.key'), 'utf8'))
  const again = await sluice(['export', folder], settings)
  expect([again.status, again.error]).toEqual([2, expect.stringContaining('is there already')])

  const spent = sent.reduce((sum, { metadata }) => sum + metadata.n, 1)
  const webhook = { id, secret }
  before = { one, sent, spent, positions, folder, webhook, messages, files }
  // What the old place makes of it, as the measure of the new one.
  await at.start()
  await expect.poll(() => spentIn(at.url(), one), patient).toBe(spent)
})

describe('into another data directory, and its files into a storage', () => {
  movesInto(async () => {
    const storage = await startS3Server(['shop'])
    const environment = {
      DATA_DIR: join(scratch.path, 'another'),
      ...s3Environment(storage, 'shop'),
    }
    return {
      environment,
      close: async () => {
        expect(storage.objects.size).toBe(2)
        await storage.stop()
      },
    }
  })
})

describeWith(distributedMissing, 'onto Kafka, Redis and PostgreSQL', () => {
  movesInto(async () => {
    const { environment, close } = await openDistributed()
    const SECRETS_KEY = readFileSync(join(moved().folder, 'secrets.key'), 'utf8').trim()
    return { environment: { ...environment, SECRETS_KEY }, close }
  })
})

function movesInto(open: () => Promise<Target>): void {
  let target: Target
  let server: Server | null = null
  afterAll(async () => {
    await server?.stop('SIGKILL')
    await target?.close()
  })
  const url = () => server?.ready['test_url'] ?? ''

  it('imports, killed in the middle and run again', { timeout: 300_000 }, async () => {
    const { folder } = moved()
    target = await open()
    const { environment } = target
    const cut = launch(['import', folder], environment)
    await until(() => claimed(environment), cut.ended)
    cut.child.kill('SIGKILL')
    expect((await cut.ended).signal).toBe('SIGKILL')
    for (const words of [['serve'], ['verify'], ['migrate']]) {
      const { status, error } = await sluice(words, environment)
      expect([words, status, error]).toEqual([words, 2, expect.stringContaining('was cut short')])
    }
    const made = await operate(environment, ['import', folder])
    expect(made).toMatchObject({ path: folder, served: false })
    const again = await sluice(['import', folder], environment)
    expect([again.status, again.error]).toEqual([2, expect.stringContaining('is not empty')])
  })

  it('measures what was accepted, once, and knows every id', { timeout: 300_000 }, async () => {
    const { one, sent, spent, positions } = moved()
    server = await startServer(target.environment)
    await expect.poll(() => spentIn(url(), one), patient).toBe(spent)
    expect(await audited(target.environment)).toMatchObject([0, { ok: true, differences: 0 }])
    // Whatever a caller has kept from the old place still says when its usage counts.
    const last = positions.slice(-3).join(',')
    await expect.poll(() => statusAfter(url(), one, last), patient).toBe(200)
    expect(await statusAfter(url(), one, 'p1.nobody.0-1')).toBe(400)
    for (let from = 0; from < sent.length; from += 500) {
      await accepted(url(), sent.slice(from, from + 500))
    }
    const after = await accepted(url(), [
      { ...(sent[0] as SentEvent), event_id: fresh('after'), metadata: { n: 11 } },
    ])
    await expect.poll(() => statusAfter(url(), one, after), patient).toBe(200)
    await expect.poll(() => spentIn(url(), one), patient).toBe(spent + 11)
    await expect.poll(() => eventsIn(url(), one), patient).toBe(sent.length + 2)
    expect(await audited(target.environment)).toMatchObject([0, { ok: true, differences: 0 }])
    // A restart finds the log that goes on.
    await server.stop()
    server = await startServer(target.environment)
    await expect.poll(() => spentIn(url(), one), patient).toBe(spent + 11)
  })

  it('keeps the secrets and files, and tells what was not told yet', {
    timeout: 300_000,
  }, async () => {
    const { webhook, messages, files } = moved()
    await expectFilesAt(url(), at.keys.write, files)
    const read = await get(url(), `/webhooks/${webhook.id}/secret`)
    expect(read).toEqual({ secret: webhook.secret })
    expect(await messagesOf(url(), webhook.id)).toEqual(expect.arrayContaining([...messages]))
    const receiver = await openReceiver()
    try {
      await send(url(), `PATCH /webhooks/${webhook.id}`, { url: receiver.url })
      await send(url(), `POST /webhooks/${webhook.id}/messages/${messages.at(-1)}/resend`)
      await receiver.until(1)
      const [told] = receiver.received
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
          name,
          String(told?.headers[name]),
        ]),
      )
      expect(new Webhook(webhook.secret).verify(told?.body ?? '', headers)).toBeTruthy()
    } finally {
      await receiver.close()
    }
  })
}

itAtLength(
  'exports a running server as of one moment, and says that it runs',
  {
    timeout: 300_000,
  },
  async () => {
    const { one } = moved()
    const folder = join(scratch.path, 'rehearsal')
    let [going, sum] = [true, 0]
    const load = (async () => {
      while (going) {
        const event = { event_id: fresh('meanwhile'), customer_id: one.customerId }
        const event_name = one.eventNames[0] ?? ''
        await accepted(at.url(), [{ ...event, event_name, metadata: { n: 1 } }])
        sum += 1
      }
    })()
    await expect.poll(() => sum, patient).toBeGreaterThan(20)
    const least = sum
    expect(await at.sluice('export', folder)).toMatchObject({ served: true })
    going = false
    await load
    const environment = { DATA_DIR: join(scratch.path, 'rehearsed') }
    await operate(environment, ['import', folder])
    const server = await startServer(environment)
    try {
      const { spent } = moved()
      const url = server.ready['test_url'] ?? ''
      await expect.poll(() => spentIn(url, one), patient).toBeGreaterThanOrEqual(spent + least)
      expect(await spentIn(url, one)).toBeLessThanOrEqual(spent + sum)
      expect(await audited(environment)).toMatchObject([0, { ok: true }])
    } finally {
      await server.stop()
    }
  },
)

it('refuses what it cannot move', { timeout: 300_000 }, async () => {
  const { folder } = moved()
  const empty = { DATA_DIR: join(scratch.path, 'nothing') }
  expect(await told(['export', join(scratch.path, 'none')], empty)).toEqual([
    2,
    expect.stringContaining('nothing to export'),
  ])
  const foreign = {
    ...empty,
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  expect(await told(['export', join(scratch.path, 'none')], foreign)).toEqual([
    2,
    expect.stringContaining('DATABASE_URL is set'),
  ])
  expect(await told(['import', scratch.path], empty)).toEqual([
    2,
    expect.stringContaining('is no export'),
  ])
  expect(await told(['import', folder], { DATA_DIR: at.directory })).toEqual([
    2,
    expect.stringContaining('is not empty'),
  ])
  const wrongKey = { ...empty, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') }
  expect(await told(['import', folder], wrongKey)).toEqual([
    2,
    expect.stringContaining('SECRETS_KEY is not the key'),
  ])
  // Nothing was changed by that: the same place takes it with the right key.
  expect(await told(['import', folder], empty)).toEqual([0, ''])
})
