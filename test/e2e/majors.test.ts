import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import DodoPayments from 'dodopayments'
import { afterAll, expect, it } from 'vitest'
import { binariesPackage } from '../../src/parts/store/embedded/binaries.ts'
import { ourMajor } from '../../src/parts/store/embedded/cluster.ts'
import { furnish } from '../support/process/furnish.ts'
import type { Environment, Server } from '../support/process/server.ts'
import { launch, scratchDirectory, sluice, startServer } from '../support/process/server.ts'
import { copyFolder } from '../support/run/copy-folder.ts'
import { isLong } from '../support/run/long.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { postgresMajor, startPostgres } from '../support/servers/postgres.ts'
import type { SentEvent } from './moved-places.ts'
import { audited, callerWith, credits, until } from './moved-places.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'

const patient = { timeout: 120_000, interval: 50 }
const older = postgresMajor ?? ourMajor
const missing =
  older < ourMajor
    ? null
    : `a PostgreSQL older than ${ourMajor}: install Debian's postgresql-${ourMajor - 1}, or set TEST_POSTGRES_BIN to its programs`

const scratch = scratchDirectory()
const dataDir = join(scratch.path, 'data')
const inStore = (name: string) => join(dataDir, 'postgres', name)
/** Its initdb goes on for a while when the start is killed. */
const isBeingMade = () => readdirSync(inStore('.')).some((name) => name.startsWith('data.new'))
let key = ''
const { accepted, eventsIn, spentIn } = callerWith(() => key)

describeWith(missing, `a data directory that PostgreSQL ${older} has written`, () => {
  let server: Server | null = null
  let settings: Environment = { DATA_DIR: dataDir }
  let one: Subscriber
  const sent: SentEvent[] = []
  afterAll(async () => {
    await server?.stop('SIGKILL')
    scratch.remove()
  })
  const url = () => server?.ready['test_url'] ?? ''
  const spent = () => sent.reduce((sum, { metadata }) => sum + metadata.n, 0)

  // The server on an old PostgreSQL and an embedded log; then that PostgreSQL, killed, is the
  // embedded one.
  it('is made, and killed with events that are not measured', { timeout: 300_000 }, async () => {
    const postgres = await startPostgres()
    try {
      settings = { ...settings, SECRETS_KEY: postgres.settings['SECRETS_KEY'] ?? '' }
      server = await startServer({ ...settings, ...postgres.settings })
      const furnished = await furnish({ ...settings, ...postgres.settings })
      key = furnished.keys.write
      const client = () => new DodoPayments({ bearerToken: key, baseURL: url(), maxRetries: 0 })
      one = await subscriber(
        { client },
        {
          meters: [{ aggregation: { type: 'sum', key: 'n' } }],
          mapping: { credits_amount: String(credits) },
        },
      )
      for (let batch = 0; batch < 12; batch += 1) {
        const events = Array.from({ length: 250 }, (_, index) => ({
          event_id: fresh('older'),
          customer_id: one.customerId,
          event_name: one.eventNames[0] ?? '',
          metadata: { n: 1 + (index % 5) },
        }))
        await accepted(url(), events)
        sent.push(...events)
        if (batch === 8) await expect.poll(() => spentIn(url(), one), patient).toBe(spent())
      }
      await server.stop('SIGKILL')
      await postgres.kill()
      mkdirSync(inStore(''), { recursive: true, mode: 0o700 })
      copyFolder(join(postgres.directory, 'data'), inStore('data'))
      lendPrograms()
    } finally {
      await postgres.stop()
    }
    expect(majorIn('data')).toBe(older)
  })

  it('keeps it as it was, whenever the start is killed', { timeout: 600_000 }, async () => {
    for (const waitMs of isLong ? [null, null, 0, 100, 300, 500, 700, 900, 1_200] : [null, 500]) {
      const cut = launch(['serve'], { ...settings })
      if (waitMs === null) await until(() => isBeingMade(), cut.ended)
      else {
        await until(() => existsSync(inStore('data.filling')), cut.ended)
        await sleep(waitMs)
      }
      cut.child.kill('SIGKILL')
      expect((await cut.ended).signal).toBe('SIGKILL')
      if (majorIn('data') !== older) break
      expect(existsSync(inStore(`data.${older}`))).toBe(false)
    }
  })

  it('is refused where its old files were to be kept over others', async () => {
    if (majorIn('data') !== older) return
    mkdirSync(inStore(`data.${older}`))
    const { status, error } = await sluice(['serve'], settings)
    expect([status, error]).toEqual([2, expect.stringContaining('move it to another place')])
    rmSync(inStore(`data.${older}`), { recursive: true })
  })

  it('is brought over by a start, with nothing lost', { timeout: 300_000 }, async () => {
    server = await startServer(settings)
    expect([majorIn('data'), majorIn(`data.${older}`)]).toEqual([ourMajor, older])
    expect(existsSync(inStore('data.filling'))).toBe(false)
    await expect.poll(() => spentIn(url(), one), patient).toBe(spent())
    expect(await eventsIn(url(), one)).toBe(sent.length)
    // Every id of before is known, and what comes counts.
    for (let from = 0; from < sent.length; from += 500) {
      await accepted(url(), sent.slice(from, from + 500))
    }
    const more = { ...(sent[0] as SentEvent), event_id: fresh('after'), metadata: { n: 11 } }
    await accepted(url(), [more])
    await expect.poll(() => spentIn(url(), one), patient).toBe(spent() + 11)
    expect(await audited(settings)).toMatchObject([0, { ok: true, differences: 0 }])
    await server.stop()
    server = await startServer(settings)
    expect((await server.stop()).error).not.toContain('brought over')
  })
})

/** Where the old programs are none of the system's, as if npm had installed them for the store. */
function lendPrograms(): void {
  const bin = process.env['TEST_POSTGRES_BIN']
  if (bin === undefined) return
  const native = inStore(`programs/${older}/node_modules/${binariesPackage}/native`)
  mkdirSync(dirname(native), { recursive: true })
  symlinkSync(dirname(bin), native)
}

const majorIn = (name: string): number => Number(readFileSync(join(inStore(name), 'PG_VERSION')))
