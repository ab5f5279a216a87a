import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from '../../../test/support/console/person.ts'
import { cpuSince, cpuTime } from '../../harness/cpu.ts'
import type { Line } from '../../harness/result.ts'
import { figure } from '../../harness/result.ts'
import { mebibyte, ownBytes } from '../watching.ts'

/** What came of a file that was asked for. */
interface Taken {
  readonly rows: number
  readonly bytes: number
  readonly ms: number
  /** Of the server's own memory, beyond what it had before. */
  readonly grownBytes: number
}

/** Takes a whole list as a file, and looks at the server's memory meanwhile. */
export async function fileLine(
  visitor: Person,
  pid: number,
  [label, path]: readonly [label: string, path: string],
): Promise<Line> {
  const { bytes, grownBytes, ms, rows } = await taken(visitor, pid, { path, bytesMax: null })
  return {
    label,
    figures: [
      figure('whole', ms, 'ms'),
      figure('rows', rows, ''),
      figure('rows/s', rows / (ms / 1_000), ''),
      figure('file', bytes / 1_000_000, 'MB'),
      figure('memory grew by', grownBytes / mebibyte, 'MiB'),
    ],
  }
}

/** Leaves in the middle of a file: what the server still does a second later. */
export async function brokenOffLine(visitor: Person, pid: number, path: string): Promise<Line> {
  const { bytes } = await taken(visitor, pid, { path, bytesMax: 1_000_000 })
  await sleep(1_000)
  const [from, at] = [cpuTime(pid), performance.now()]
  await sleep(2_000)
  const spent = cpuSince(from, cpuTime(pid))
  const ms = performance.now() - at
  const busy = spent === null ? [] : [figure('CPU afterwards', spent.own / 10 / ms, '%')]
  return {
    label: 'a file that is broken off',
    figures: [figure('until then', bytes / 1_000_000, 'MB'), ...busy],
  }
}

interface Wanted {
  readonly path: string
  /** Where the client leaves; null: at the end. */
  readonly bytesMax: number | null
}

function taken(visitor: Person, pid: number, { path, bytesMax }: Wanted): Promise<Taken> {
  const before = ownBytes(pid)
  const startedAt = performance.now()
  let [rows, bytes, most] = [0, 0, before]
  const looking = setInterval(() => {
    most = Math.max(most, ownBytes(pid))
  }, 200)
  return new Promise<Taken>((done, failed) => {
    const over = () => {
      const ms = performance.now() - startedAt
      done({ rows: Math.max(0, rows - 1), bytes, ms, grownBytes: most - before })
    }
    const headers = { 'Sluice-Console': '1', Cookie: visitor.cookie ?? '' }
    const asked = request(`${visitor.base}/console/api/test${path}`, { headers }, (answer) => {
      if (answer.statusCode !== 200) failed(new Error(`${path} was answered ${answer.statusCode}`))
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        for (const byte of chunk) if (byte === newline) rows += 1
        if (bytesMax !== null && bytes >= bytesMax) answer.destroy()
      })
      answer.once('end', over)
      answer.once('error', (error) => (bytesMax === null ? failed(error) : over()))
      answer.once('close', over)
    })
    asked.once('error', failed)
    asked.end()
  }).finally(() => clearInterval(looking))
}

const newline = 10
