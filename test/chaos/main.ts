import { parseArgs } from 'node:util'
import type { ChaosOptions, ChaosResult } from './chaos.ts'
import { chaos } from './chaos.ts'
import { distributedChaos } from './distributed/chaos.ts'
import { groundMissing } from './distributed/ground.ts'
import { moneyChaos } from './money/chaos.ts'
import { reportOf, sumOf } from './report.ts'
import { sidecarChaos } from './sidecar/chaos.ts'

const usage =
  'Usage: npm run chaos [-- --faults N --seed S --seeds K --parts embedded|distributed|sidecar|money --minutes M]'

interface Wanted {
  readonly campaign: (options: ChaosOptions) => Promise<ChaosResult>
  /** Of the first seed. */
  readonly options: ChaosOptions
  readonly seeds: number
}

// Exits here, because everything that was started ends when this process exits.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
// Does not wait for the event loop to end: Node 20 was seen to spin for ever while closing what
// belonged to processes and connections that were killed.
process.exit(await main(process.argv.slice(2)))

async function main(words: readonly string[]): Promise<number> {
  let wanted: Wanted
  try {
    wanted = wantedOf(words)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
    return 2
  }
  const { campaign, options, seeds } = wanted
  const deadline = performance.now() + options.minutes * 60_000
  const results: ChaosResult[] = []
  while (results.length < seeds && (results.length === 0 || performance.now() < deadline)) {
    const seed = options.seed + results.length
    const minutes = (deadline - performance.now()) / 60_000
    const result = await campaign({ ...options, seed, minutes })
    process.stdout.write(reportOf(result))
    results.push(result)
    if (result.differences.length > 0) break
  }
  if (results.length > 1) process.stdout.write(`\n${reportOf(sumOf(results))}`)
  return results.every(({ differences }) => differences.length === 0) ? 0 : 1
}

function wantedOf(words: readonly string[]): Wanted {
  const { values } = parseArgs({
    args: [...words],
    options: {
      faults: { type: 'string' },
      seed: { type: 'string' },
      seeds: { type: 'string' },
      parts: { type: 'string', default: 'embedded' },
      minutes: { type: 'string' },
    },
  })
  const began = performance.now()
  const options = {
    // With --minutes alone, as many faults as fit.
    faults: wholeOf('faults', values.faults, values.minutes === undefined ? 250 : 1_000_000),
    minutes: wholeOf('minutes', values.minutes, 24 * 60),
    seed: wholeOf('seed', values.seed, Date.now() % 1_000_000_000),
    senders: 4,
    progress: (line: string) => {
      const seconds = String(Math.round((performance.now() - began) / 1_000)).padStart(5)
      process.stderr.write(`${seconds} s  ${line}\n`)
    },
  }
  const campaign = campaignOf(values.parts)
  return { campaign, options, seeds: wholeOf('seeds', values.seeds, 1) }
}

function campaignOf(parts: string): Wanted['campaign'] {
  if (parts === 'embedded') return chaos
  if (parts === 'sidecar') return sidecarChaos
  if (parts === 'money') return moneyChaos
  if (parts !== 'distributed') throw new Error(`There are no parts '${parts}'.`)
  if (groundMissing !== null) throw new Error(`--parts distributed needs ${groundMissing}.`)
  return (options) => distributedChaos({ ...options, faultsPerRound: 100 })
}

function wholeOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new Error(`--${name} must be a whole number above 0, not '${text}'.`)
}
