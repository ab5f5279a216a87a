import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { ChangeEntitlementNeeds } from '../../operations/entitlements/change-entitlement.ts'
import {
  changeEntitlement,
  createEntitlement,
  deleteEntitlement,
  detachFile,
  findEntitlement,
} from '../../operations/entitlements/change-entitlement.ts'
import type { TakeFileNeeds } from '../../operations/files/take-file.ts'
import { takeFile } from '../../operations/files/take-file.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { ProductEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import {
  filesHeldBy,
  integrationTypes,
} from '../../rules/commerce/entitlements/product-entitlement.ts'
import {
  askedEntitlement,
  changeInEntitlement,
  entitlementCreate,
  entitlementUpdate,
  entitlementView,
} from '../../wire/product-entitlement.ts'
import { fileUploadView } from '../../wire/product-file.ts'
import { page } from '../../wire/schemas.ts'
import { formBytes, readMultipart } from '../http/multipart.ts'
import { parse, parseChoice, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { created, noContent, ok, route } from '../http/route.ts'
import type { DownloadNeeds } from './base-url.ts'
import { downloadPlaceOf } from './base-url.ts'
import type { GrantRouteNeeds } from './entitlement-grants.ts'
import { grantRoutes } from './entitlement-grants.ts'

export interface EntitlementNeeds
  extends ChangeEntitlementNeeds,
    TakeFileNeeds,
    DownloadNeeds,
    Omit<GrantRouteNeeds, keyof ChangeEntitlementNeeds> {
  readonly changes: ChangeEntitlementNeeds['changes']
}

/** [entitlements#entitlements] */
export function entitlementRoutes(needs: EntitlementNeeds): readonly Route[] {
  const { productEntitlements } = needs
  return [
    route('GET', '/entitlements', 'read', list),
    route('POST', '/entitlements', 'write', create),
    route('GET', '/entitlements/:id', 'read', retrieve),
    route('PATCH', '/entitlements/:id', 'write', update),
    route('DELETE', '/entitlements/:id', 'write', remove),
    {
      ...route('POST', '/entitlements/:id/files', 'write', upload, 'stream'),
      streamBytesMax: limits.fileBytesMax + formBytes,
    },
    route('DELETE', '/entitlements/:id/files/:file_id', 'write', detach),
    ...grantRoutes(needs),
  ]

  async function list(request: Request): Promise<Reply> {
    const type = parseChoice(request, 'integration_type', integrationTypes)
    const found = await productEntitlements.list(request.caller, { type }, parsePage(request))
    return ok(page(await views(request, found)))
  }

  async function create(request: Request): Promise<Reply> {
    const wanted = unlessProblem(askedEntitlement(parse(entitlementCreate, request.body)))
    const made = await createEntitlement(needs, request.caller, { wanted, at: request.at })
    return created(await view(request, made))
  }

  async function retrieve(request: Request): Promise<Reply> {
    return ok(await view(request, await findEntitlement(needs, request.caller, idOf(request))))
  }

  async function update(request: Request): Promise<Reply> {
    const body = parse(entitlementUpdate, request.body)
    const changed = await changeEntitlement(needs, request.caller, {
      entitlementId: idOf(request),
      at: request.at,
      change: ({ config }) => unlessProblem(changeInEntitlement(body, config.type)),
    })
    return ok(await view(request, changed))
  }

  async function remove(request: Request): Promise<Reply> {
    const target = { entitlementId: idOf(request), at: request.at }
    await deleteEntitlement(needs, request.caller, target)
    return noContent
  }

  async function upload(request: Request): Promise<Reply> {
    const target = { entitlementId: idOf(request), at: request.at }
    const taking = await takeFile(needs, request.caller, target)
    const body = request.body as AsyncIterable<Uint8Array>
    const { header } = request
    const bytesMax = limits.fileBytesMax
    const file = await readMultipart(body, { header, bytesMax, keep: taking.keep })
    const { fileId } = await taking.attach(file)
    return created(fileUploadView(fileId))
  }

  async function detach(request: Request): Promise<Reply> {
    const fileId = parseId(request, 'file_id', 'file')
    const target = { entitlementId: idOf(request), fileId, at: request.at }
    await detachFile(needs, request.caller, target)
    return noContent
  }

  async function view(request: Request, entitlement: ProductEntitlement) {
    const [only] = await views(request, [entitlement])
    return only
  }

  async function views(request: Request, found: readonly ProductEntitlement[]) {
    const files = await filesHeld(request.caller, found)
    const place = downloadPlaceOf(request, needs)
    return found.map((entitlement) => entitlementView(place, entitlement, files))
  }

  async function filesHeld(scope: Scope, found: readonly ProductEntitlement[]) {
    return needs.storedFiles.many(scope, found.flatMap(filesHeldBy))
  }
}

const idOf = (request: Request): string => parseId(request, 'id', 'entitlement')

/** @throws Fault 422 */
function unlessProblem<T>(asked: T | string): T {
  if (typeof asked !== 'string') return asked
  throw new Fault('INVALID_REQUEST_BODY', asked)
}
