import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { limits } from '../../src/limits.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { subscriber } from './plan.ts'
import { world } from './world.ts'

const mebibyte = 1024 * 1024
const disk = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
const missing = mounted() ? null : 'a small disk: run where mounting a tmpfs is allowed'
const filler = join(disk, 'filler')
const patient = { timeout: 120_000, interval: 200 }

describeWith(missing, 'a full disk', () => {
  const at = world({ DATA_DIR: join(disk, 'data') })
  afterAll(() => {
    execFileSync('umount', ['--lazy', disk])
    rmdirSync(disk)
  })

  it('below the reserve: ingestion is 503, all else goes on, and room is enough to heal', {
    timeout: 300_000,
  }, async () => {
    const one = await subscriber(at)
    expect((await one.balance(await one.use({}))).balance).toBe('99')
    fill(limits.diskReserveBytes / 2)
    const refused = await refusal(one.customerId)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Reads and commands have room of their own.
    expect((await one.balance()).balance).toBe('99')
    expect((await at.call('GET /meters')).status).toBe(200)
    empty()
    await served(one.customerId)
    expect((await one.balance(await one.use({}))).balance).toBe('98')
    await expect.poll(readyz, patient).toMatchObject({ ready: true })
  })

  it('to the last byte: nothing is lost, and room is enough to heal', {
    timeout: 300_000,
  }, async () => {
    const one = await subscriber(at)
    await one.use({})
    fill(0)
    await refusal(one.customerId)
    // What is measured leaves room in the log, which is ready until that is full, too.
    const whenFull = async () => {
      await send(one.customerId).catch(() => null)
      return readyz()
    }
    await expect.poll(whenFull, patient).toMatchObject({ ready: false })
    // A command may be refused, but must not succeed without having been written.
    const customer = { email: 'ada@example.com', name: 'Ada' }
    for (let turn = 0; turn < 20; turn += 1) {
      const { status } = await at.call('POST /customers', { body: customer })
      expect([200, 500, 503]).toContain(status)
    }
    empty()
    await served(one.customerId)
    await expect.poll(readyz, patient).toMatchObject({ ready: true })
    expect((await one.balance(await one.use({}))).balance).toBe('98')
    await expect.poll(async () => (await at.metrics()).get('sluice_unaccounted_events')).toBe(0)
    expect(await at.sluice('verify')).toMatchObject({ ok: true })
  })

  let sent = 0
  /** A megabyte that no meter counts. */
  function send(customerId: string) {
    const events = Array.from({ length: 500 }, () => ({
      event_id: `disk ${++sent}`,
      customer_id: customerId,
      event_name: 'unmetered',
      metadata: Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, 'x'.repeat(500)])),
    }))
    return at.call('POST /events/ingest', { body: { events } })
  }

  /** The first refusal comes late: pages that the log already has are used up before. */
  async function refusal(customerId: string) {
    for (;;) {
      // A client that is still sending when it is refused may be cut off; then it sends again.
      const answer = await send(customerId).catch(() => null)
      if (answer !== null && answer.status !== 200) {
        expect([answer.status, answer.body?.['code']]).toEqual([503, 'UNAVAILABLE'])
        return answer
      }
    }
  }

  async function served(customerId: string) {
    const status = () =>
      send(customerId).then(
        (answer) => answer.status,
        () => null,
      )
    await expect.poll(status, patient).toBe(200)
  }

  const readyz = async () => (await fetch(`${at.url('ops')}/readyz`)).json()
})

/** Fills the disk except for so many bytes. */
function fill(left: number): void {
  const { bavail, bsize } = statfsSync(disk)
  const chunk = Buffer.alloc(mebibyte)
  try {
    for (let taken = 0; bavail * bsize - taken > left; taken += chunk.length) {
      writeFileSync(filler, chunk, { flag: 'a' })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || left > 0) throw error
  }
}

function empty(): void {
  rmSync(filler)
}

function mounted(): boolean {
  try {
    const options = ['-t', 'tmpfs', '-o', 'size=900m', 'none', disk]
    execFileSync('mount', options, { stdio: 'ignore' })
    return true
  } catch {
    rmdirSync(disk)
    return false
  }
}
