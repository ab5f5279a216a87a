import type { ShortLink } from '../../../../rules/commerce/catalog/short-link.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Page, Scope } from '../../scope.ts'
import type { ShortLinks } from '../../short-links.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { joined, sql } from '../connection/sql.ts'

export function shortLinks(db: Db): ShortLinks {
  return { find, list }

  async function find(mode: Mode, slug: string): Promise<ShortLink | null> {
    const [row] = await db.query<ShortLinkRow>(sql`
      select ${columns} from short_links
      where (mode, lower(slug)) = (${mode}, ${slug.toLowerCase()})`)
    return row === undefined ? null : shortLinkOf(row)
  }

  async function list(
    { businessId, mode }: Scope,
    { productId }: { readonly productId: string | null },
    page: Page,
  ): Promise<readonly ShortLink[]> {
    const conditions = [
      sql`(business_id, mode) = (${businessId}, ${mode})`,
      ...(productId === null ? [] : [sql`product_id = ${productId}`]),
    ]
    const rows = await db.query<ShortLinkRow>(sql`
      select ${columns} from short_links
      where ${joined(conditions, ' and ')}
      order by created_at desc, slug desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(shortLinkOf)
  }
}

interface ShortLinkRow {
  readonly slug: string
  readonly product_id: string
  readonly params: readonly (readonly [string, string])[]
  readonly created_at: Instant
}

const columns = sql`slug, product_id, params, created_at`

const shortLinkOf = (row: ShortLinkRow): ShortLink => ({
  slug: row.slug,
  productId: row.product_id,
  params: row.params,
  createdAt: row.created_at,
})

/** As write_short_links() takes it. */
export const shortLinkRow = (scope: Scope, link: ShortLink): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  slug: link.slug,
  product_id: link.productId,
  params: link.params,
  created_at: timestamptz(link.createdAt),
})
