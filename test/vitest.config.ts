import { defineConfig } from 'vitest/config'
import { skippedReporter } from './support/skipped-reporter.ts'

/** Where continuous integration wants the results as JSON. */
const results = process.env['TEST_RESULTS']

/** Pure and embedded suites, plus every driver whose service the environment names. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    reporters: ['default', skippedReporter, ...(results === undefined ? [] : [json(results)])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: real servers and databases run beside the tests.
    maxWorkers: 2,
    pool: 'forks',
  },
})

function json(outputFile: string): ['json', { outputFile: string }] {
  return ['json', { outputFile }]
}
