import { describe, it } from 'vitest'

/**
 * A suite that needs a server. `missing` is null when the server can run, or says how to enable
 * it; then the suite is skipped under a name that says so. Where TEST_REQUIRE_ALL is 1, as in
 * continuous integration, it fails instead.
 */
export function describeWith(missing: string | null, name: string, suite: () => void): void {
  if (missing === null) {
    describe(name, suite)
    return
  }
  const wanting = `${name}, for want of ${missing}`
  if (process.env['TEST_REQUIRE_ALL'] !== '1') it.skip(wanting, noop)
  else
    it(wanting, () => {
      throw new Error(`TEST_REQUIRE_ALL is set: nothing may be skipped. Missing is ${missing}.`)
    })
}

function noop(): void {
  // Only its name is of use: it says what was skipped.
}
