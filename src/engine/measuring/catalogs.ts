import type { Meters } from '../../parts/store/meters.ts'
import type { BusinessCatalog } from '../../rules/meter/measure-types.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { DefaultLinks } from '../../rules/meter/route.ts'

export interface BusinessKey {
  readonly businessId: string
  readonly mode: Mode
}

/**
 * The catalog that measuring works from: a snapshot for each business, compared by version in every
 * measuring transaction, and loaded again when it has moved.
 * [machines#the-catalogue-while-it-changes]
 */
export interface CatalogCache {
  /** All loaded catalogs as JSON in shared memory, with a version that moves with every load. */
  snapshot(): { readonly version: number; readonly json: Uint8Array }
  /** The same JSON of these businesses only. */
  of(businesses: readonly BusinessKey[]): Uint8Array
  load(businesses: readonly BusinessKey[]): Promise<void>
  linksOf(business: BusinessKey): readonly DefaultLinks[]
}

export function measuringCatalogs(meters: Pick<Meters, 'catalogOf'>): CatalogCache {
  const loaded = new Map<string, BusinessCatalog>()
  const links = new Map<string, readonly DefaultLinks[]>()
  let version = 0
  // Made when somebody asks: catalogs may move many times before that.
  let json: Uint8Array | null = null
  return { snapshot, of, load, linksOf }

  function snapshot(): ReturnType<CatalogCache['snapshot']> {
    json ??= encode([...loaded.values()])
    return { version, json }
  }

  function of(businesses: readonly BusinessKey[]): Uint8Array {
    return encode(businesses.flatMap((business) => loaded.get(nameOf(business)) ?? []))
  }

  async function load(businesses: readonly BusinessKey[]): Promise<void> {
    // A business that does not exist gets an empty catalog; otherwise measuring would ask for it
    // again and again.
    for (const { businessId, mode } of businesses) {
      loaded.set(nameOf({ businessId, mode }), { businessId, mode, version: 0, meters: [] })
    }
    for (const found of await meters.catalogOf(businesses)) {
      loaded.set(nameOf(found.catalog), found.catalog)
      links.set(nameOf(found.catalog), found.links)
    }
    version += 1
    json = null
  }

  function linksOf(business: BusinessKey): readonly DefaultLinks[] {
    return links.get(nameOf(business)) ?? []
  }
}

/** In shared memory, so that handing it to a worker with every task costs nothing. */
function encode(catalogs: readonly BusinessCatalog[]): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(catalogs))
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return shared
}

const nameOf = ({ businessId, mode }: BusinessKey): string => `${mode} ${businessId}`
