import type { Addon } from '../../rules/commerce/catalog/addon.ts'
import type { Page, Scope } from './scope.ts'

export interface Addons {
  get(scope: Scope, addonId: string): Promise<Addon | null>

  /** The add-ons that exist among these ids, by id. */
  many(scope: Scope, addonIds: readonly string[]): Promise<ReadonlyMap<string, Addon>>

  /** Newest first. */
  list(scope: Scope, page: Page): Promise<readonly Addon[]>
}
