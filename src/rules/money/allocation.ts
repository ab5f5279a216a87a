import assert from 'node:assert/strict'
import { divideTruncated } from '../../std/decimal.ts'

/**
 * Shares `total` among lines in proportion to their amounts, without losing or making a unit. Each
 * line gets its share rounded down, and what is left goes to the largest line, the first among
 * equals; no line gets more than its own amount where the total is not more than all of them.
 * Without any amount to go by, there can be nothing to share. [resources#money]
 */
export function allocated(total: number, amounts: readonly number[]): readonly number[] {
  assert(isAmount(total) && amounts.every(isAmount), 'Only what is not negative is shared.')
  const sum = amounts.reduce((all, amount) => all + amount, 0)
  assert(Number.isSafeInteger(sum) && (sum > 0 || total === 0), 'Nothing to share it by.')
  if (sum === 0) return amounts.map(() => 0)
  const shares = amounts.map((amount) =>
    Number(divideTruncated(BigInt(total) * BigInt(amount), BigInt(sum))),
  )
  let left = total - shares.reduce((all, share) => all + share, 0)
  for (const index of bySize(amounts)) {
    const [amount = 0, share = 0] = [amounts[index], shares[index]]
    const more = total > sum ? left : Math.min(left, amount - share)
    shares[index] = share + more
    left -= more
  }
  assert(left === 0, 'A unit of money was lost.')
  return shares
}

const isAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0

const bySize = (amounts: readonly number[]): readonly number[] =>
  amounts.map((_, index) => index).toSorted((a, b) => (amounts[b] ?? 0) - (amounts[a] ?? 0))
