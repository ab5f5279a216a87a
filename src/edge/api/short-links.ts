import { notFound } from '../../faults.ts'
import type { CreateShortLink } from '../../operations/short-links/create-short-link.ts'
import { createShortLink } from '../../operations/short-links/create-short-link.ts'
import type { ShortLinks } from '../../parts/store/short-links.ts'
import { checkoutPath } from '../../rules/commerce/catalog/short-link.ts'
import { page } from '../../wire/schemas.ts'
import {
  shortLinkCreate,
  shortLinkListItem,
  shortLinkView,
  wantedShortLink,
} from '../../wire/short-link.ts'
import { parse, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'
import { parseText } from './parameters.ts'

export interface ShortLinkNeeds extends CreateShortLink {
  readonly shortLinks: ShortLinks
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

/** [resources#short-links] */
export function shortLinkRoutes(needs: ShortLinkNeeds): readonly Route[] {
  return [
    route('GET', '/products/short_links', 'read', list),
    route('POST', '/products/:id/short_links', 'write', create),
  ]

  async function list(request: Request): Promise<Reply> {
    const filter = { productId: parseText(request, 'product_id') }
    const found = await needs.shortLinks.list(request.caller, filter, parsePage(request))
    const base = baseUrlOf(request, needs.publicUrl)
    return ok(page(found.map((link) => shortLinkListItem(base, link))))
  }

  async function create(request: Request): Promise<Reply> {
    const { caller, at } = request
    const wanted = wantedShortLink(parse(shortLinkCreate, request.body))
    const productId = parseId(request, 'id', 'product')
    const link = await createShortLink(needs, caller, { productId, wanted, at })
    return ok(shortLinkView(baseUrlOf(request, needs.publicUrl), link))
  }
}

/** `GET /s/{slug}`, without a key (ours): the host decides the mode. [resources#short-links] */
export function shortLinkPage(
  needs: Pick<ShortLinkNeeds, 'publicUrl'> & { readonly shortLinks: Pick<ShortLinks, 'find'> },
): Route {
  return route('GET', '/s/:slug', 'public', follow)

  async function follow(request: Request): Promise<Reply> {
    const slug = parseId(request, 'slug', 'short link')
    const link = await needs.shortLinks.find(request.mode, slug)
    if (link === null) throw notFound('short link', slug)
    const location = `${baseUrlOf(request, needs.publicUrl)}${checkoutPath(link)}`
    return { status: 302, headers: { Location: location, 'Cache-Control': 'no-cache' } }
  }
}
