import type { Scope } from '../../parts/store/scope.ts'
import { inTurn } from '../accounts/in-turn.ts'

/**
 * Changes of one catalog take turns in a process. Each change moves the catalog's version, which
 * measuring sometimes holds: without turns measuring would queue behind all who wait for the
 * version. [machines#the-catalogue-while-it-changes]
 */
export const inCatalogTurn = <T>(
  { businessId, mode }: Scope,
  change: () => Promise<T>,
): Promise<T> => inTurn([`catalog ${mode} ${businessId}`], change)
