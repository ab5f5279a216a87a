/**
 * Forms that try the same again and again are short by themselves, and long where TEST_LONG is 1,
 * as in continuous integration.
 */
export const isLong = process.env['TEST_LONG'] === '1'

/** How often, unless the variable `name` says a number of its own. */
export const timesOf = (name: string, { short, long }: { short: number; long: number }): number =>
  Number(process.env[name] ?? (isLong ? long : short))
