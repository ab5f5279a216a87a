import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scratchDirectory } from '../../bench/harness/server.ts'
import { openSite } from '../../bench/harness/site.ts'
import { dashboards } from '../grafana/dashboards.ts'
import type { Panel } from '../grafana/panels.ts'
import type { Picture } from './draw.ts'
import { sheetOf } from './draw.ts'
import type { Found, Prometheus } from './prometheus.ts'
import { startPrometheus } from './prometheus.ts'
import { openScene } from './scene.ts'

// `npm run pictures [-- --seconds 60 --out FOLDER]`: a real run under load, scraped by a real
// Prometheus; every panel's queries drawn into FOLDER/DASHBOARD.svg. Exit 1 where a query or a
// recorded rule has no data.
process.exitCode = await main(process.argv.slice(2))

// Relative to dist/deploy/pictures.
function here(path: string): string {
  return fileURLToPath(new URL(`../../../deploy/${path}`, import.meta.url))
}

async function main(words: readonly string[]): Promise<number> {
  const options = { seconds: { type: 'string' }, out: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...words], options })
  const seconds = Number(values.seconds ?? 60)
  const out = values.out ?? here('pictures')
  mkdirSync(out, { recursive: true })
  const scratch = scratchDirectory()
  const site = await openSite({ customers: 12, profile: null })
  const scene = await openScene(site, scratch.path, { deaf: true, spoolMax: '256MiB' })
  const prometheus = await startPrometheus(scratch.path, here('prometheus'), {
    sluice: new URL(site.opsUrl).host,
    'sluice-sidecar': scene.sidecar,
  })
  const from = wallSeconds()
  await sleep(seconds * 1_000)
  const run = { prometheus, from, to: wallSeconds() }
  const empty: string[] = []
  for (const { name, panels, title } of dashboards) {
    const pictures: Picture[] = []
    for (const panel of panels) pictures.push(await pictureOf(panel, run, empty))
    const sheet = sheetOf(`Sluice: ${title}`, pictures, run.to - run.from)
    writeFileSync(join(out, `${name}.svg`), sheet)
    process.stdout.write(`${name}.svg: ${panels.length} panels\n`)
  }
  for (const record of recorded()) {
    const found = await prometheus.range(record, run.from, run.to)
    if (found.length === 0) empty.push(record)
  }
  await prometheus.stop()
  await scene.stop()
  await site.stop()
  scratch.remove()
  for (const query of empty) process.stdout.write(`no data: ${query}\n`)
  return empty.length === 0 ? 0 : 1
}

/** Names of everything that the rules record. */
function recorded(): readonly string[] {
  const text = readFileSync(here('prometheus/recording.yaml'), 'utf8')
  return [...text.matchAll(/^ +- record: (\S+)$/gm)].map(([, name = '']) => name)
}

function wallSeconds(): number {
  return (performance.timeOrigin + performance.now()) / 1_000
}

interface Run {
  readonly prometheus: Prometheus
  /** Seconds since 1970. */
  readonly from: number
  readonly to: number
}

/** Adds queries that found nothing to `empty`. */
async function pictureOf(
  { queries, title, unit }: Panel,
  { prometheus, from, to }: Run,
  empty: string[],
): Promise<Picture> {
  const drawn: Picture['series'][number][] = []
  for (const [query, legend] of queries) {
    const asked = query.replaceAll('$__rate_interval', '15s')
    const found = await prometheus.range(asked, from, to)
    const series = found.map((each) => ({
      legend: legendOf(legend, each),
      points: each.values
        .filter(([, value]) => Number.isFinite(value))
        .map(([at, value]) => [at - from, value] as const),
    }))
    if (series.every(({ points }) => points.length === 0)) empty.push(query)
    drawn.push(...series)
  }
  return { title, unit, series: drawn }
}

function legendOf(legend: string, { labels }: Found): string {
  return legend.replace(/\{\{(\w+)\}\}/g, (_, name: string) => labels[name] ?? 'none')
}
