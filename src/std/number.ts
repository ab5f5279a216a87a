/**
 * Whether a JSON number is an integer that its reader may have rounded: past ±(2⁵³−1) different
 * integers read as one. 1e21 is an integer too, and so was 1e400 before it became Infinity.
 * [meters#quantities]
 */
export const isOversize = (value: number): boolean =>
  !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value))

/** What messages say about such a number, after `PATH is` or `PATH holds`. */
export const oversizeProblem = `an integer beyond ±${Number.MAX_SAFE_INTEGER}: send it as a string.`
