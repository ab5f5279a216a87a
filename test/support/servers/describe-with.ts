import { describe, it } from 'vitest'

/**
 * A suite that needs a server. Where `missing` is null the server can run. Else it says how to
 * enable it, and the suite is skipped under a name that says so; where TEST_REQUIRE_ALL is 1, as in
 * continuous integration, it fails instead.
 */
export function describeWith(missing: string | null, name: string, suite: () => void): void {
  describeIf(missing, name, { required: process.env['TEST_REQUIRE_ALL'] === '1', suite })
}

/** The same, where the caller says whether the suite may be skipped. */
export function describeIf(
  missing: string | null,
  name: string,
  { required, suite }: { readonly required: boolean; readonly suite: () => void },
): void {
  if (missing === null) {
    describe(name, suite)
    return
  }
  const wanting = `${name}, for want of ${missing}`
  if (!required) it.skip(wanting, noop)
  else
    it(wanting, () => {
      throw new Error(`TEST_REQUIRE_ALL is set: nothing may be skipped. Missing is ${missing}.`)
    })
}

function noop(): void {
  // It exists for its name, which says what was skipped.
}
