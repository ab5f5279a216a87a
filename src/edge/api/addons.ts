import { orNotFound } from '../../faults.ts'
import type { CreateAddon } from '../../operations/addons/create-addon.ts'
import { createAddon } from '../../operations/addons/create-addon.ts'
import type { UpdateAddon } from '../../operations/addons/update-addon.ts'
import { updateAddon } from '../../operations/addons/update-addon.ts'
import type { Addons } from '../../parts/store/addons.ts'
import { addonChange, addonCreate, addonUpdate, addonView, wantedAddon } from '../../wire/addon.ts'
import type { AnswerPlace } from '../../wire/image-address.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { placeOf } from './base-url.ts'

export interface AddonNeeds extends CreateAddon, UpdateAddon {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
  readonly addons: Addons
}

/** [resources#add-ons] */
export function addonRoutes(needs: AddonNeeds): readonly Route[] {
  const { addons } = needs
  return [
    route('GET', '/addons', 'read', list),
    route('POST', '/addons', 'write', create),
    route('GET', '/addons/:id', 'read', retrieve),
    route('PATCH', '/addons/:id', 'write', update),
  ]

  function here(request: Request): AnswerPlace {
    return placeOf(request, needs.publicUrl)
  }

  async function list(request: Request): Promise<Reply> {
    const found = await addons.list(request.caller, parsePage(request))
    return ok(page(found.map((addon) => addonView(here(request), addon))))
  }

  async function create(request: Request): Promise<Reply> {
    const { caller, body, at } = request
    const command = { wanted: wantedAddon(parse(addonCreate, body)), at }
    return ok(addonView(here(request), await createAddon(needs, caller, command)))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const addonId = idOf(request)
    const addon = orNotFound(await addons.get(request.caller, addonId), 'add-on', addonId)
    return ok(addonView(here(request), addon))
  }

  async function update(request: Request): Promise<Reply> {
    const { caller, at } = request
    const change = addonChange(parse(addonUpdate, request.body))
    const command = { addonId: idOf(request), change, at }
    return ok(addonView(here(request), await updateAddon(needs, caller, command)))
  }
}

const idOf = (request: Request): string => parseId(request, 'id', 'add-on')
