import type { Rational } from '../../model/rational.ts'

// Money the slow way: fractions of whole numbers, counted up unit by unit where that is needed.

export const fraction = (over: number | bigint, under: number | bigint = 1): Rational => ({
  over: BigInt(over),
  under: BigInt(under),
})

/** The whole number that is nearest; of two as near, the one further from 0. */
export function nearest({ over, under }: Rational): bigint {
  const size = over < 0n ? -over : over
  const whole = size / under
  const rest = size - whole * under
  const rounded = rest + rest >= under ? whole + 1n : whole
  return over < 0n ? -rounded : rounded
}

/** Shares that follow the sentence of the manual word by word. */
export function slowShares(total: number, amounts: readonly number[]): readonly bigint[] {
  const sum = amounts.reduce((all, each) => all + BigInt(each), 0n)
  if (sum === 0n) return amounts.map(() => 0n)
  const shares = amounts.map((each) => (BigInt(total) * BigInt(each)) / sum)
  const given = () => shares.reduce((all, share) => all + share, 0n)
  // One unit after the other, each to the largest line that may still take one.
  while (given() < BigInt(total)) {
    let best = -1
    for (const [index, each] of amounts.entries()) {
      const full = BigInt(total) <= sum && (shares[index] ?? 0n) >= BigInt(each)
      if (!full && (best === -1 || each > (amounts[best] ?? 0))) best = index
    }
    shares[best] = (shares[best] ?? 0n) + 1n
  }
  return shares
}
