import { parseRateTier } from '../rules/commerce/rate-tier.ts'
import { UsageError } from './command.ts'

/** The tier as it is stored; throws a UsageError where it cannot be read. */
export function rateTierOf(text: string): string {
  if (parseRateTier(text) !== null) return text
  throw new UsageError(
    `--rate-tier must be 0, 1, 2, unlimited, or BURST/SUSTAINED such as 40/240, not '${text}'.`,
  )
}
