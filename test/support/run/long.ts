/**
 * Whether suites that try the same again and again do so at length, as in continuous integration.
 */
export const isLong = process.env['TEST_LONG'] === '1'

/** How often to try, unless the variable `name` sets a number of its own. */
export const timesOf = (name: string, { short, long }: { short: number; long: number }): number =>
  Number(process.env[name] ?? (isLong ? long : short))
