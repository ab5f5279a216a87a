import { after, day, instantOf } from '../../src/std/instant.ts'
import { Person } from '../../test/support/console/person.ts'
import { openShop, type Shop } from '../../test/support/console/shop.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure, quantile } from '../harness/result.ts'
import { command, scratchDirectory, startServer } from '../harness/server.ts'
import type { Run } from '../harness/sizes.ts'
import { fill } from './archive/fill.ts'
import type { Stream } from './archive/stream.ts'
import type { Asks } from './console/asks.ts'
import { exportAsks, listAsks } from './console/asks.ts'
import { brokenOffLine, fileLine } from './console/files.ts'
import { multiply } from './console/multiply.ts'

const daysFilled = 5
const password = 'correct horse battery staple'

/**
 * The console of a business with a hundred thousand customers and a million events: how long each
 * list and search takes, one after the other, asked as its pages do; and how long whole lists take
 * as files.
 */
export async function benchConsole(run: Run): Promise<Result> {
  const scratch = scratchDirectory()
  const dataDir = scratch.path
  const { businessId, cookie, shop } = await furnish(dataDir)
  const to = instantOf(Math.floor((performance.timeOrigin + performance.now()) * 1_000))
  const stream: Stream = {
    owner: { businessId, mode: 'test' },
    events: run.consoleEvents,
    customers: run.consoleEvents / 10,
    from: after(to, -daysFilled * day),
    to,
  }
  const customers = stream.customers
  const crowd = { customers, payments: 2 * customers, entries: 10 * customers }
  await fill({ dataDir, stream })
  await multiply({ dataDir, shop, crowd })
  const server = await startServer({ dataDir })
  const visitor = new Person(server.ready['test_url'] ?? '')
  visitor.cookie = cookie
  const lists = await timed(visitor, listAsks({ shop, stream, crowd }), run.consoleReads)
  const files: Line[] = []
  for (const ask of exportAsks) files.push(await fileLine(visitor, server.pid, ask))
  files.push(await brokenOffLine(visitor, server.pid, '/export/events'))
  await server.stop()
  scratch.remove()
  const slowest = Math.max(...lists.map(({ worstMs }) => worstMs))
  return {
    name: 'console',
    lines: [...lists.map(lineOf), ...files],
    goals: [
      {
        name: 'console: slowest list or search',
        value: slowest,
        unit: 'ms',
        target: 300,
        better: 'less',
      },
    ],
    checksum: `${stream.events} events, ${customers} customers`,
  }
}

/** A business with one of everything, and an owner who is logged in. */
async function furnish(
  dataDir: string,
): Promise<{ businessId: string; cookie: string; shop: Shop }> {
  const server = await startServer({ dataDir })
  const businessId = server.ready['business_id'] ?? ''
  const words = ['users', 'create', '--business', businessId, '--email', 'owner@example.com']
  const made = await command(words, { dataDir })
  await command(['business', 'limit', businessId, '--rate-tier', 'unlimited'], { dataDir })
  const owner = new Person(server.ready['test_url'] ?? '')
  await owner.setUp(made['setup_url'] ?? '', password)
  const shop = await openShop(owner)
  await server.stop()
  return { businessId, cookie: owner.cookie ?? '', shop }
}

interface Took {
  readonly label: string
  readonly bytes: number
  readonly halfMs: number
  readonly worstMs: number
}

async function timed(visitor: Person, asks: Asks, count: number): Promise<readonly Took[]> {
  const all: Took[] = []
  for (const [label, path] of asks) {
    const took: number[] = []
    let bytes = 0
    for (let turn = 0; turn < count; turn += 1) {
      const startedAt = performance.now()
      const { status, text } = await visitor.call(`GET /test${path}`)
      took.push(performance.now() - startedAt)
      bytes = text.length
      const isFine = status === 200 || (status === 404 && label.includes('nothing'))
      if (!isFine) throw new Error(`${path} was answered ${status}: ${text.slice(0, 500)}`)
    }
    all.push({ label, bytes, halfMs: quantile(took, 0.5), worstMs: quantile(took, 1) })
  }
  return all
}

const lineOf = ({ label, bytes, halfMs, worstMs }: Took): Line => ({
  label,
  figures: [
    figure('half', halfMs, 'ms'),
    figure('worst', worstMs, 'ms'),
    figure('answer', bytes / 1_000, 'kB'),
  ],
})
