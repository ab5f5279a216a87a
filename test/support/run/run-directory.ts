import assert from 'node:assert/strict'

/** Where the processes of one run keep what they share; the global set-up makes it. */
export function runDirectory(): string {
  const run = process.env['TEST_RUN_DIRECTORY']
  assert(run !== undefined, 'TEST_RUN_DIRECTORY is not set: run through `npm test`.')
  return run
}
