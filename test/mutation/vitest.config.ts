import { defineConfig } from 'vitest/config'

/** The pure tests of the rules alone: no servers, no shared set-up, the same seed every time. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/rules/{accounts,meter,commerce}/**/*.test.ts'],
    setupFiles: ['test/mutation/seed.ts'],
    // Every mutant waits for them.
    env: { RUNS_MAX: '200' },
    testTimeout: 600_000,
    pool: 'threads',
    maxWorkers: 1,
  },
})
