import type { ShortLink } from '../../rules/commerce/catalog/short-link.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Page, Scope } from './scope.ts'

export interface ShortLinks {
  /** The link of a slug, whosever it is; upper and lower case do not matter. */
  find(mode: Mode, slug: string): Promise<ShortLink | null>

  /** Newest first, of one product or of all (null). */
  list(
    scope: Scope,
    filter: { readonly productId: string | null },
    page: Page,
  ): Promise<readonly ShortLink[]>
}
