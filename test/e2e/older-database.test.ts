import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLmdbLogReader } from '../../src/parts/event-log/lmdb/reader.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { copyFolder } from '../support/run/copy-folder.ts'
import { fresh, subscriber } from './plan.ts'
import { world } from './world.ts'

const at = world({ LOG_RETENTION: '0' })
const scratch = scratchDirectory()
afterAll(() => scratch.remove())

it('halts on a database older than its log goes back, says what to do, and goes on with a newer one', {
  timeout: 240_000,
}, async () => {
  const one = await subscriber(at)
  await use(12)
  await at.stop()
  const postgres = join(at.directory, 'postgres')
  const [older, newer] = [join(scratch.path, 'older'), join(scratch.path, 'newer')]
  copyFolder(postgres, older)
  await at.start()
  for (let turn = 0; turn < 3; turn += 1) await use(8)
  // The first round after a start trims.
  await at.restart()
  await expect.poll(firstKept, { timeout: 60_000 }).toBeGreaterThan(12)
  await at.stop()
  renameSync(postgres, newer)
  renameSync(older, postgres)

  await at.start()
  const ready = async () => {
    const answer = await fetch(`${at.url('ops')}/readyz`)
    return JSON.stringify(await answer.json())
  }
  await expect.poll(ready, { timeout: 60_000 }).toContain('restore a newer copy of the database')
  // It goes on accepting, and loses nothing of that.
  const id = fresh('while halted')
  await one.use({ event_id: id })
  await at.stop()
  rmSync(postgres, { recursive: true })
  renameSync(newer, postgres)
  await at.start()
  await expect.poll(async () => (await one.balance()).balance, { timeout: 60_000 }).toBe('63')
  expect(await at.sluice('verify')).toMatchObject({ ok: true })

  async function use(events: number): Promise<void> {
    for (let sent = 0; sent < events; sent += 1) await one.balance(await one.use({}))
  }
})

async function firstKept(): Promise<number> {
  const reader = await openLmdbLogReader({ directory: join(at.directory, 'log'), shared: null })
  let sum = 0
  for (let each = 0; each < reader.partitions; each += 1) sum += (await reader.bounds(each)).first
  await reader.close()
  return sum
}
