/**
 * Whether a JSON number is an integer that its reader may have rounded: past ±(2⁵³−1) two integers
 * read as one. 1e21 is an integer too, and 1e400 was one before it became Infinity.
 * [meters#quantities]
 */
export const isOversize = (value: number): boolean =>
  !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value))

/** What is said of one, behind `PATH is` or `PATH holds`. */
export const oversizeProblem = `an integer beyond ±${Number.MAX_SAFE_INTEGER}: send it as a string.`
