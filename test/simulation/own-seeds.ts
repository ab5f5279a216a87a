import { execFileSync } from 'node:child_process'

/**
 * Where the worlds begin that nobody has seen before: each commit has its own, so that a clean run
 * means something new each time, and can be had again from its number. Outside of a clone the hour
 * says it.
 */
export function ownSeeds(): { readonly from: number; readonly of: string } {
  try {
    const options = { encoding: 'utf8', stdio: 'pipe' } as const
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], options).trim()
    return { from: 10_000_000 + Number.parseInt(commit.slice(0, 7), 16), of: commit.slice(0, 12) }
  } catch {
    const hour = Math.floor(Date.now() / 3_600_000)
    return { from: 10_000_000 + (hour % 10_000_000) * 60, of: `hour ${hour}` }
  }
}
