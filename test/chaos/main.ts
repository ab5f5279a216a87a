import { parseArgs } from 'node:util'
import type { ChaosOptions } from './chaos.ts'
import { chaos } from './chaos.ts'
import { reportOf } from './report.ts'

const usage =
  'Usage: npm run chaos [-- --faults N --seed S --parts embedded|distributed --minutes M]'

// Not without what was started: it goes when this process exits.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  let options: ChaosOptions
  try {
    options = optionsOf(words)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
    return 2
  }
  const result = await chaos(options)
  process.stdout.write(reportOf(result))
  return result.differences.length === 0 ? 0 : 1
}

function optionsOf(words: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      faults: { type: 'string' },
      seed: { type: 'string' },
      parts: { type: 'string', default: 'embedded' },
      minutes: { type: 'string' },
    },
  })
  if (values.parts === 'distributed') {
    throw new Error('--parts distributed comes with the drivers for Kafka and Redis.')
  }
  if (values.parts !== 'embedded') throw new Error(`There are no parts '${values.parts}'.`)
  const began = performance.now()
  return {
    // With --minutes alone, as many as fit.
    faults: wholeOf('faults', values.faults, values.minutes === undefined ? 250 : 1_000_000),
    minutes: wholeOf('minutes', values.minutes, 24 * 60),
    seed: wholeOf('seed', values.seed, Date.now() % 1_000_000_000),
    senders: 4,
    progress: (line) => {
      const seconds = String(Math.round((performance.now() - began) / 1_000)).padStart(5)
      process.stderr.write(`${seconds} s  ${line}\n`)
    },
  }
}

function wholeOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new Error(`--${name} must be a whole number above 0, not '${text}'.`)
}
