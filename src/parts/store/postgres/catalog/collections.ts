import type { ProductCollection } from '../../../../rules/commerce/catalog/collection.ts'
import type { CollectionFilter, Collections } from '../../collections.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { joined, sql } from '../connection/sql.ts'
import type { CollectionRow } from './collection-rows.ts'
import { collectionColumns, collectionOf } from './collection-rows.ts'

export function collections(db: Db): Collections {
  return { get, list }

  async function get(
    { businessId, mode }: Scope,
    collectionId: string,
  ): Promise<ProductCollection | null> {
    const [row] = await db.query<CollectionRow>(sql`
      select ${collectionColumns} from product_collections
      where (business_id, mode, collection_id) = (${businessId}, ${mode}, ${collectionId})`)
    return row === undefined ? null : collectionOf(row)
  }

  async function list(
    { businessId, mode }: Scope,
    { archived, brandId }: CollectionFilter,
    page: Page,
  ): Promise<readonly ProductCollection[]> {
    const conditions = [
      sql`business_id = ${businessId} and mode = ${mode}`,
      sql`(archived_at is not null) = ${archived}`,
      ...(brandId === null ? [] : [sql`brand_id = ${brandId}`]),
    ]
    const rows = await db.query<CollectionRow>(sql`
      select ${collectionColumns} from product_collections
      where ${joined(conditions, ' and ')}
      order by created_at desc, collection_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(collectionOf)
  }
}
