import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { Report } from '../bench/harness/report.ts'
import { median, quantile } from '../bench/harness/result.ts'
import {
  bodiesOf,
  eventBytes,
  eventName,
  largeTokensMin,
  number,
} from '../bench/harness/workload.ts'
import { greeds } from './support/edge/greedy.ts'
import { scratchDirectory } from './support/process/server.ts'
import { isLong } from './support/run/long.ts'
import { describeIf } from './support/servers/describe-with.ts'
import { kafkaMissing } from './support/servers/kafka.ts'
import { redisMissing } from './support/servers/redis.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = scratchDirectory()
afterAll(() => scratch.remove())
const missing = kafkaMissing ?? redisMissing

/** What a short run has: a server under load, and all that is measured alone. */
const brief = ['end-to-end', 'micro']
const isBrief = ([name]: readonly string[]) => /^(end-to-end$|micro: )/.test(name ?? '')
const checksumsOfAll = [
  ['parse', ''],
  ['edge', ''],
  ['end-to-end', '13389100 thousandths of credits for 5000 events'],
  ['freshness', ''],
  ['start', ''],
  ['micro: measure', '450538000000000000000000'],
  ['micro: fingerprint', '84615cee'],
  ['micro: taking', ''],
  ['micro: rates', ''],
  ['micro: dedupe', '6000 ids, 2000 found'],
  ['micro: redis-dedupe', redisMissing === null ? '3000 ids, 3000 found' : ''],
  ['micro: redis-buckets', redisMissing === null ? '60000 found' : ''],
  ['micro: archive', 'ee59784d005bc681'],
  ['archive', '2000 events'],
  ['archive: lag', ''],
  ...(missing === null
    ? [
        ['distributed-end-to-end', '13389100 thousandths of credits for 5000 events'],
        ['distributed-edge', ''],
      ]
    : []),
]

// Every bench runs here with tiny parameters, so that none can rot. No number is judged.
describe('npm run bench', () => {
  it('measures everything, and what it sends is worth the same in every run', async () => {
    const file = join(scratch.path, 'report.json')
    const words = [...(isLong ? [] : brief), '--smoke', '--json', file]
    const { error, out, status } = await bench(words)
    expect(error).toBe('')
    expect([status, out.split('\n')[0]]).toEqual([0, `npm run bench -- ${words.join(' ')}`])
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    const checksums = report.results.map(({ name, checksum }) => [name, checksum])
    expect(checksums).toEqual(isLong ? checksumsOfAll : checksumsOfAll.filter(isBrief))
    if (isLong && missing !== null) expect(out).toContain(`are left out, for want of ${missing}.`)
    const figures = report.results.flatMap(({ lines }) => lines.flatMap((line) => line.figures))
    expect(figures.filter(({ value }) => !Number.isFinite(value) || value < 0)).toEqual([])
    // A bound for what hangs: beside all other suites it has taken ten minutes.
  }, 1_200_000)

  it('refuses a bench that there is not, and names those that there are', async () => {
    const { error, status } = await bench(['everything'])
    expect(status).toBe(2)
    expect(error).toContain("There is no bench 'everything'.")
    expect(error).toContain(
      'parse, edge, end-to-end, freshness, start, micro, archive, distributed-edge',
    )
  })
})

// These take a minute, and what they share with the others is tried by those.
const wanting = isLong ? null : 'TEST_LONG=1'
describeIf(wanting, 'npm run bench, at length', { required: false, suite: atLength })

function atLength(): void {
  it('overloads a server, which bears it and recovers', async () => {
    const file = join(scratch.path, 'overload.json')
    const { error, status } = await bench(['overload', '--smoke', '--json', file])
    expect([status, error]).toEqual([0, ''])
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as Report
    expect(results.map(({ name }) => name)).toEqual(['overload'])
  }, 600_000)

  it('soaks a server in changes of every kind', async () => {
    const file = join(scratch.path, 'soak.json')
    const { error, status } = await bench(['soak', '--smoke', '--json', file])
    // It says what each window took, and nothing else.
    const others = error.split('\n').filter((line) => !/^(\d of \d: .*)?$/.test(line))
    expect([status, others]).toEqual([0, []])
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as Report
    expect(results.map(({ name }) => name)).toEqual(['soak'])
  }, 600_000)

  it('has a victim beside an offender of every kind: it is always answered', async () => {
    const file = join(scratch.path, 'fairness.json')
    const { error, status } = await bench(['fairness', '--smoke', '--json', file])
    expect([status, error]).toEqual([0, ''])
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as Report
    const labels = results.flatMap(({ lines }) => lines.map(({ label }) => label))
    const told = greeds.map((kind) => `${kind}: the offender was answered`)
    expect(labels.filter((label) => label.endsWith('answered'))).toEqual(told)
    expect(labels.length).toBe(told.length * 5)
  }, 600_000)

  it.skipIf(missing !== null)(
    'spreads over processes and partitions',
    async () => {
      const file = join(scratch.path, 'cores.json')
      const { error, status } = await bench(['cores', '--smoke', '--json', file])
      expect([status, error]).toEqual([0, ''])
      const { results } = JSON.parse(readFileSync(file, 'utf8')) as Report
      expect(results.map(({ lines, name }) => [name, lines.length])).toEqual([
        ['cores: gateways', 2],
        ['cores: engines', 1],
        ['cores: partitions', 1],
      ])
    },
    600_000,
  )

  it('asks the console of a large business for every list', async () => {
    const file = join(scratch.path, 'console.json')
    const { error, status } = await bench(['console', '--smoke', '--json', file])
    expect([status, error]).toEqual([0, ''])
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as Report
    expect(results.map(({ name, checksum }) => [name, checksum])).toEqual([
      ['console', '2000 events, 200 customers'],
    ])
  }, 600_000)

  it('asks what a sidecar costs in requests of every size', async () => {
    const file = join(scratch.path, 'sidecar.json')
    const { error, status } = await bench(['sidecar', '--smoke', '--json', file])
    expect([status, error]).toEqual([0, ''])
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as Report
    expect(results.map(({ lines, goals }) => [lines.length, goals.length])).toEqual([[4, 8]])
    for (const { value } of results[0]?.goals ?? []) expect(value).toBeGreaterThan(0)
  }, 600_000)

  it('sends ever more of everything, and draws what it costs', async () => {
    const file = join(scratch.path, 'cliffs.json')
    const { error, status } = await bench(['cliffs', '--smoke', '--json', file])
    expect([status, error]).toEqual([0, ''])
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as Report
    const axes = ['batch', 'connections', 'ids', 'meters', 'accounts', 'customers']
    const names = [...axes.map((axis) => `cliffs: ${axis}`), 'idle connections']
    expect(results.map(({ name }) => name)).toEqual(names)
    expect(results.map(({ lines }) => lines.length)).toEqual([2, 2, 2, 2, 2, 2, 1])
    expect((await bench(['draw', file])).status).toBe(0)
    const drawn = readFileSync(file.replace(/json$/, 'svg'), 'utf8')
    expect(drawn.match(/<polyline/g)).toHaveLength(2 * axes.length)
  }, 600_000)
}

describe('the workload', () => {
  const customers = Array.from({ length: 50 }, (_, rank) => `cus_${String(rank).padStart(21, '0')}`)
  const idPrefix = 'evt_test00000000000000000'
  const timestamp = '2026-01-31T12:00:00.000Z'
  const bodies = bodiesOf({ customers, eventName, timestamp, idPrefix, batch: 100 })
  const parsed = bodies.map((body, index) => {
    number(body, index * 100)
    return JSON.parse(body.bytes.toString()) as { readonly events: readonly Sent[] }
  })
  const events = parsed.flatMap((body) => body.events)

  it('is skewed: 35 % of one customer, 78 % of five, 90 % of ten', () => {
    const share = (first: number) => {
      const ranks = new Set(customers.slice(0, first))
      return events.filter((event) => ranks.has(event.customer_id)).length / events.length
    }
    expect(share(1)).toBeCloseTo(0.35, 1)
    expect(share(5)).toBeCloseTo(0.78, 1)
    expect(share(10)).toBeCloseTo(0.9, 1)
  })

  it('has events of 240 bytes, each with an id of its own', () => {
    expect(new Set(events.map((event) => event.event_id)).size).toBe(events.length)
    expect(events.every((event) => JSON.stringify(event).length + 1 === eventBytes)).toBe(true)
  })

  it('says what its bodies add to the meters', () => {
    const tokensOf = (sent: readonly Sent[]) =>
      sent.reduce((sum, event) => sum + event.metadata.tokens, 0)
    bodies.forEach(({ usage }, index) => {
      const sent = parsed[index]?.events ?? []
      const large = sent.filter(
        ({ metadata }) => metadata.model === 'large' && metadata.tokens > largeTokensMin,
      )
      const expected = { calls: sent.length, tokens: tokensOf(sent), large: tokensOf(large) }
      expect(usage).toEqual(expected)
    })
  })
})

describe('statistics', () => {
  it('of few values', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5])
    expect([quantile([5, 1, 3], 0.5), quantile([5, 1, 3], 0.99), quantile([7], 0)]).toEqual([
      3, 5, 7,
    ])
  })
})

interface Sent {
  readonly event_id: string
  readonly customer_id: string
  readonly metadata: { readonly model: string; readonly tokens: number }
}

async function bench(words: readonly string[]) {
  const entry = join(root, 'src/start.js')
  const child = spawn(process.execPath, [entry, '--run', 'bench', ...words], { cwd: root })
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString()
  })
  const status = await new Promise<number | null>((done) => child.once('close', done))
  // A build beforehand is not the bench's.
  return { status, out, error: error.replace(/^sluice: .*\n/gm, '') }
}
