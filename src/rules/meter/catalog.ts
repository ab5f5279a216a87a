import { textOf } from '../../std/bytes.ts'
import type { Matches } from './filter.ts'
import { compileFilter } from './filter.ts'
import type { BusinessCatalog, CatalogMeter } from './measure-types.ts'
import type { Mode } from './meter.ts'

/** The meters of a business and mode by event name, ready to match events. */
export interface CompiledCatalog {
  readonly businessId: string
  readonly mode: Mode
  readonly version: number
  readonly byName: ReadonlyMap<string, readonly CompiledMeter[]>
}

export interface CompiledMeter extends CatalogMeter {
  /** Null: no filter, so all events of the name match. */
  readonly matches: Matches | null
}

/** Null: the catalog does not have this business and mode. */
export type CatalogOf = (businessId: string, mode: Mode) => CompiledCatalog | null

/**
 * Keeps the newest catalog compiled. Parses the JSON only when `version` moves, and compiles a
 * business only when its own version moves: a new meter costs other businesses nothing.
 */
export function catalogCache(): (catalog: { version: number; json: Uint8Array }) => CatalogOf {
  let current: { readonly version: number; readonly of: CatalogOf } | null = null
  return (catalog) => {
    if (current === null || current.version !== catalog.version) {
      const businesses = JSON.parse(textOf(catalog.json)) as readonly BusinessCatalog[]
      current = { version: catalog.version, of: compileCatalogs(businesses, current?.of) }
    }
    return current.of
  }
}

/** Takes what has not changed from `previous`. */
export function compileCatalogs(
  businesses: readonly BusinessCatalog[],
  previous: CatalogOf = () => null,
): CatalogOf {
  const modes = {
    test: new Map<string, CompiledCatalog>(),
    live: new Map<string, CompiledCatalog>(),
  }
  for (const business of businesses) {
    const { businessId, mode, version } = business
    const known = previous(businessId, mode)
    const compiled = known?.version === version ? known : compileCatalog(business)
    modes[mode].set(businessId, compiled)
  }
  return (businessId, mode) => modes[mode].get(businessId) ?? null
}

function compileCatalog({ businessId, mode, version, meters }: BusinessCatalog): CompiledCatalog {
  const byName = new Map<string, CompiledMeter[]>()
  for (const meter of meters) {
    const matches = meter.filter === null ? null : compileFilter(meter.filter)
    const compiled = { ...meter, matches }
    const others = byName.get(meter.eventName)
    if (others === undefined) byName.set(meter.eventName, [compiled])
    else others.push(compiled)
  }
  return { businessId, mode, version, byName }
}
