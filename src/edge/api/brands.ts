import type { ArchiveBrand } from '../../operations/brands/archive-brand.ts'
import { archiveBrand } from '../../operations/brands/archive-brand.ts'
import type { CreateBrand } from '../../operations/brands/create-brand.ts'
import { createBrand } from '../../operations/brands/create-brand.ts'
import { brandOrNotFound } from '../../operations/brands/find-brand.ts'
import { listBrands } from '../../operations/brands/list-brands.ts'
import type { UpdateBrand } from '../../operations/brands/update-brand.ts'
import { updateBrand } from '../../operations/brands/update-brand.ts'
import type { Brands } from '../../parts/store/brands.ts'
import {
  archiveTarget,
  brandArchive,
  brandArchiveView,
  brandChange,
  brandCreate,
  brandUpdate,
  brandView,
  wantedBrand,
} from '../../wire/brand.ts'
import type { AnswerPlace } from '../../wire/image-address.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseFlag } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { placeOf } from './base-url.ts'

export interface BrandNeeds extends CreateBrand, UpdateBrand, ArchiveBrand {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
  readonly brands: Brands
}

/** [resources#brands] */
export function brandRoutes(needs: BrandNeeds): readonly Route[] {
  return [
    route('GET', '/brands', 'read', list),
    route('POST', '/brands', 'write', create),
    route('GET', '/brands/:id', 'read', retrieve),
    route('PATCH', '/brands/:id', 'write', update),
    { ...route('POST', '/brands/:id/archive', 'write', archive), emptyBody: 'undefined' },
  ]

  function here(request: Request): AnswerPlace {
    return placeOf(request, needs.publicUrl)
  }

  async function list(request: Request): Promise<Reply> {
    const filter = { archived: parseFlag(request, 'include_archived') ?? false }
    const found = await listBrands(needs, request.caller, filter)
    return ok(page(found.map((brand) => brandView(here(request), brand))))
  }

  async function create(request: Request): Promise<Reply> {
    const { caller, body, at } = request
    const command = { wanted: wantedBrand(parse(brandCreate, body)), at }
    return ok(brandView(here(request), await createBrand(needs, caller, command)))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const brand = await brandOrNotFound(needs, request.caller, idOf(request))
    return ok(brandView(here(request), brand))
  }

  async function update(request: Request): Promise<Reply> {
    const { caller, at } = request
    const body = parse(brandUpdate, request.body)
    const command = { brandId: idOf(request), change: brandChange(body), at }
    return ok(brandView(here(request), await updateBrand(needs, caller, command)))
  }

  async function archive(request: Request): Promise<Reply> {
    const targetId = archiveTarget(parse(brandArchive, request.body))
    const brandId = idOf(request)
    const command = { brandId, targetId, at: request.at }
    const archived = await archiveBrand(needs, request.caller, command)
    return ok(brandArchiveView(brandId, archived.archive, archived.moved))
  }
}

const idOf = (request: Request): string => parseId(request, 'id', 'brand')
