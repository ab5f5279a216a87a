import { parseArgs } from 'node:util'
import { findSchemathesis, fuzzApi } from './fuzz-api.ts'

const usage =
  'Usage: npm run fuzz:api [-- --seconds N --examples N --seed N --operations N --turn N]'

process.exitCode = await main(process.argv.slice(2))

/** Exits with 0 where the tool cannot be had, after a sentence that says so. */
async function main(words: readonly string[]): Promise<number> {
  let options: ReturnType<typeof optionsOf>
  try {
    options = optionsOf(words)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
    return 2
  }
  const found = await findSchemathesis()
  if ('why' in found) {
    process.stderr.write(`Skipped: ${found.why}\n`)
    return 0
  }
  return fuzzApi({ ...found, ...options, say: (text) => process.stdout.write(text) })
}

function optionsOf(words: readonly string[]) {
  const number = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...words],
    options: { seconds: number, seed: number, examples: number, operations: number, turn: number },
  })
  const operations = wholeOf('operations', values.operations)
  const turn = wholeOf('turn', values.turn) ?? 1
  return {
    seconds: wholeOf('seconds', values.seconds) ?? (operations === null ? 600 : null),
    seed: wholeOf('seed', values.seed),
    examples: wholeOf('examples', values.examples) ?? 100,
    some: operations === null ? null : { operations, turn },
  }
}

function wholeOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`--${name} must be a whole number from 1 on, not '${text}'.`)
}
