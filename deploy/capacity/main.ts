import { fileURLToPath } from 'node:url'
import { costsOf, readReport } from './costs.ts'
import { tableOf } from './plan.ts'

// `npm run capacity [-- FILE…]`: the table of deploy/capacity.md, from reports of the bench.
// Without a file: from those recorded in bench/results in which Redis was asked about every id, as
// it is where a day has more of them than a process can know (parts/dedupe/redis/sieve/README.md).
const recorded = ['asked-edge', 'asked-end-to-end'].map((name) =>
  // From dist/deploy/capacity.
  fileURLToPath(new URL(`../../../bench/results/${name}.json`, import.meta.url)),
)

process.exitCode = main(process.argv.slice(2))

function main(files: readonly string[]): number {
  try {
    const costs = costsOf((files.length === 0 ? recorded : files).map(readReport))
    process.stdout.write(`${tableOf(costs)}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return 1
  }
}
