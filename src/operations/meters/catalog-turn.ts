import type { Scope } from '../../parts/store/scope.ts'
import { inTurn } from '../accounts/in-turn.ts'

/**
 * Changes of one catalog take turns in a process. Each moves the catalog's version, which measuring
 * holds now and then: it would have to wait for all who wait for the version, too.
 * [machines#the-catalogue-while-it-changes]
 */
export const inCatalogTurn = <T>(
  { businessId, mode }: Scope,
  change: () => Promise<T>,
): Promise<T> => inTurn([`catalog ${mode} ${businessId}`], change)
