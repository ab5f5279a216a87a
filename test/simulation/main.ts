import { parseArgs } from 'node:util'
import { reportOf } from './report.ts'
import { simulate } from './simulate.ts'

const usage = 'Usage: npm run simulate [-- --seeds N --from S]'

process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  let options: { readonly seeds: number; readonly from: number }
  try {
    options = optionsOf(words)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
    return 2
  }
  const { seeds, from } = options
  const progress = progressOf(seeds)
  for (let seed = from; seed < from + seeds; seed += 1) {
    const outcome = await simulate(seed)
    if (outcome.problems.length > 0) {
      process.stdout.write(reportOf(outcome))
      return 1
    }
    progress.done(outcome.events)
  }
  process.stdout.write(progress.summary())
  return 0
}

function optionsOf(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: { seeds: { type: 'string' }, from: { type: 'string' } },
  })
  return {
    seeds: wholeOf('seeds', values.seeds, 2_000),
    from: wholeOf('from', values.from, 1),
  }
}

function wholeOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new Error(`--${name} must be a whole number above 0, not '${text}'.`)
}

function progressOf(seeds: number) {
  const began = performance.now()
  let [worlds, events, told] = [0, 0, began]
  return { done, summary }

  function done(more: number): void {
    worlds += 1
    events += more
    if (performance.now() - told < 2_000) return
    told = performance.now()
    process.stderr.write(`${String(worlds).padStart(7)} of ${seeds} seeds\n`)
  }

  function summary(): string {
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage()
    const [rate, cpuRate] = [seconds, (user + system) / 1e6].map((one) =>
      Math.round((worlds / one) * 60),
    )
    return (
      `${worlds} worlds, ${events} events, ${seconds.toFixed(1)} s: all books are right\n` +
      `${rate} seeds a minute, ${cpuRate} a minute of CPU\n`
    )
  }
}
