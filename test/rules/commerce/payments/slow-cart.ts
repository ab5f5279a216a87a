import { fraction, nearest, slowShares } from '../../money/slow.ts'

// What a cart comes to the slow way: the manual's sentences [payments#what-a-purchase-costs] one
// after another, on lists of plain numbers, without the rules' own functions.

export interface SlowLine {
  /** Of one, before the product's own discount. */
  readonly price: number
  readonly quantity: number
  /** Percent. */
  readonly own: number
  readonly isAddon: boolean
  readonly product: string
  /** In millionths. */
  readonly rate: number
  readonly inclusive: boolean
}

export interface SlowCode {
  readonly basisPoints: number | null
  readonly bound: number | null
  readonly products: readonly string[]
}

export interface SlowTotal {
  readonly total: bigint
  readonly tax: bigint
  readonly discount: bigint
  readonly gross: readonly bigint[]
}

export function slowCart(
  lines: readonly SlowLine[],
  codes: readonly SlowCode[],
  owed = 0,
): SlowTotal {
  let left = lines.map(
    ({ own, price, quantity }) =>
      nearest(fraction(BigInt(price) * BigInt(100 - own), 100)) * BigInt(quantity),
  )
  for (const code of codes) {
    const hit = lines.map(
      (line, index) =>
        (code.products.length === 0 || (!line.isAddon && code.products.includes(line.product))) &&
        index >= 0,
    )
    const sum = totalOf(left.filter((_, index) => hit[index]))
    const whole =
      code.basisPoints === null ? sum : nearest(fraction(sum * BigInt(code.basisPoints), 10_000))
    const bounded = code.bound === null || whole < BigInt(code.bound) ? whole : BigInt(code.bound)
    left = less(left, bounded < sum ? bounded : sum, hit)
  }
  const all = lines.map(() => true)
  const before = totalOf(left)
  left = less(left, before < BigInt(owed) ? before : BigInt(owed), all)
  const taxes = lines.map(() => 0n)
  for (const { inclusive, rate } of lines) {
    const same = lines.map((line) => line.rate === rate && line.inclusive === inclusive)
    const sum = totalOf(left.filter((_, index) => same[index]))
    const under = inclusive ? 1_000_000 + rate : 1_000_000
    const tax = nearest(fraction(sum * BigInt(rate), under))
    const of = left.map((each, index) => (same[index] === true ? Number(each) : 0))
    for (const [index, share] of slowShares(Number(tax), of).entries()) {
      if (same[index] === true) taxes[index] = share
    }
  }
  const gross = left.map(
    (each, index) => each + (lines[index]?.inclusive === true ? 0n : (taxes[index] ?? 0n)),
  )
  const listed = totalOf(lines.map(({ price, quantity }) => BigInt(price) * BigInt(quantity)))
  return {
    total: totalOf(gross),
    tax: totalOf(taxes),
    discount: listed - totalOf(left),
    gross,
  }
}

function less(
  left: readonly bigint[],
  amount: bigint,
  hit: readonly boolean[],
): readonly bigint[] & bigint[] {
  const of = left.map((each, index) => (hit[index] === true ? Number(each) : 0))
  const shares = slowShares(Number(amount), of)
  return left.map((each, index) => each - (shares[index] ?? 0n))
}

const totalOf = (all: readonly bigint[]): bigint => all.reduce((sum, each) => sum + each, 0n)
