import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import type { Adjusted } from './adjusting.ts'
import type { Api } from './api.ts'
import type { Catalogue } from './catalogue.ts'
import type { Samples, Unanswered } from './load.ts'
import type { Model } from './model.ts'
import type { WebhookReceiver } from './receiver.ts'

/** What the books say where that is not what they should say. */
export interface Difference {
  readonly what: string
  readonly expected: string
  readonly found: string
}

export interface AuditParts {
  readonly api: Api
  readonly db: Db
  /** Of every process. */
  readonly opsUrls: readonly string[]
  readonly catalogue: Catalogue
  readonly model: Model
  readonly receiver: WebhookReceiver
  readonly unanswered: Unanswered
  readonly samples: Samples
  readonly adjusted: readonly Adjusted[]
}

/** The differences among pairs of what is expected and what was found. */
export function differing(
  pairs: readonly (readonly [what: string, expected: unknown, found: unknown])[],
): readonly Difference[] {
  return pairs
    .map((pair) => difference(...pair))
    .filter(({ expected, found }) => expected !== found)
}

export const difference = (what: string, expected: unknown, found: unknown): Difference => ({
  what,
  expected: String(expected),
  found: String(found),
})
