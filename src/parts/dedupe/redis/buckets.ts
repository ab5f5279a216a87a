/**
 * How many ids a bucket holds on average, so that hardly any outgrows `intsetMax`: past it a set
 * costs five times as much.
 *
 * Buckets are split one after the other, so those whose turn comes last hold twice the average;
 * and ids are spread by chance, so that the fullest lies some 5 √n above.
 */
export function bucketIds(intsetMax: number): number {
  // More than that in one call is too much for Lua's stack.
  const max = Math.min(Math.max(intsetMax, 16), 4_096)
  const widest = (Math.sqrt(25 + 4 * max) - 5) / 2
  return Math.max(4, Math.floor((widest * widest) / 2))
}
