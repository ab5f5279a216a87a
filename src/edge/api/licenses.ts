import { orNotFound } from '../../faults.ts'
import type { ChangeLicenseKeyNeeds } from '../../operations/licenses/change-license-key.ts'
import {
  importLicenseKey,
  renameInstance,
  updateLicenseKey,
} from '../../operations/licenses/change-license-key.ts'
import type { UseLicenseKeyNeeds } from '../../operations/licenses/use-license-key.ts'
import {
  activateLicense,
  deactivateLicense,
  validateLicense,
} from '../../operations/licenses/use-license-key.ts'
import { licenseKeySources, licenseKeyStatuses } from '../../rules/commerce/licenses/license-key.ts'
import {
  importedKey,
  instanceUpdate,
  instanceView,
  licenseActivate,
  licenseActivateView,
  licenseDeactivate,
  licenseKeyChange,
  licenseKeyCreate,
  licenseKeyUpdate,
  licenseKeyView,
  licensePlace,
  licenseValidate,
  maybePlace,
  namedLicense,
} from '../../wire/license-key.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseChoice, parsePage, parseTime } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { created, noContent, ok, route } from '../http/route.ts'
import { parseText } from './parameters.ts'

export type LicenseNeeds = ChangeLicenseKeyNeeds & UseLicenseKeyNeeds

/** [licenses#license-keys, licenses#instances, licenses#activation] */
export const licenseRoutes = (needs: LicenseNeeds): readonly Route[] => [
  ...keyRoutes(needs),
  ...instanceRoutes(needs),
  ...publicRoutes(needs),
]

function keyRoutes(needs: LicenseNeeds): readonly Route[] {
  const { licenseKeys } = needs
  return [
    route('GET', '/license_keys', 'read', list),
    route('POST', '/license_keys', 'write', create),
    route('GET', '/license_keys/:id', 'read', retrieve),
    route('PATCH', '/license_keys/:id', 'write', update),
  ]

  async function list(request: Request): Promise<Reply> {
    const { caller, at } = request
    const filter = {
      customerId: parseText(request, 'customer_id'),
      productId: parseText(request, 'product_id'),
      status: parseChoice(request, 'status', licenseKeyStatuses),
      source: parseChoice(request, 'source', licenseKeySources),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
      at,
    }
    const found = await licenseKeys.list(caller, filter, parsePage(request))
    return ok(page(found.map((key) => licenseKeyView(caller.businessId, key, at))))
  }

  async function create({ caller, body, at }: Request): Promise<Reply> {
    const imported = importedKey(parse(licenseKeyCreate, body))
    const made = await importLicenseKey(needs, caller, { imported, at })
    return ok(licenseKeyView(caller.businessId, made, at))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { caller, at } = request
    const licenseKeyId = parseId(request, 'id', 'license key')
    const found = await licenseKeys.get(caller, licenseKeyId)
    const key = orNotFound(found, 'license key', licenseKeyId)
    return ok(licenseKeyView(caller.businessId, key, at))
  }

  async function update(request: Request): Promise<Reply> {
    const { caller, at } = request
    const change = licenseKeyChange(parse(licenseKeyUpdate, request.body))
    const licenseKeyId = parseId(request, 'id', 'license key')
    const key = await updateLicenseKey(needs, caller, { licenseKeyId, change, at })
    return ok(licenseKeyView(caller.businessId, key, at))
  }
}

function instanceRoutes(needs: LicenseNeeds): readonly Route[] {
  const { licenseKeys } = needs
  return [
    route('GET', '/license_key_instances', 'read', list),
    route('GET', '/license_key_instances/:id', 'read', retrieve),
    route('PATCH', '/license_key_instances/:id', 'write', rename),
  ]

  async function list(request: Request): Promise<Reply> {
    const { caller } = request
    const filter = {
      licenseKeyId: parseText(request, 'license_key_id'),
      grantId: parseText(request, 'grant_id'),
    }
    const found = await licenseKeys.instances(caller, filter, parsePage(request))
    return ok(page(found.map((instance) => instanceView(caller.businessId, instance))))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const instanceId = instanceIdOf(request)
    const found = await licenseKeys.instance(request.caller, instanceId)
    const instance = orNotFound(found, 'license key instance', instanceId)
    return ok(instanceView(request.caller.businessId, instance))
  }

  async function rename(request: Request): Promise<Reply> {
    const { name } = parse(instanceUpdate, request.body)
    const command = { instanceId: instanceIdOf(request), name }
    const instance = await renameInstance(needs, request.caller, command)
    return ok(instanceView(request.caller.businessId, instance))
  }
}

const instanceIdOf = (request: Request): string => parseId(request, 'id', 'license key instance')

/** For programs at customers: no key of the API is needed, and none is read. */
function publicRoutes(needs: LicenseNeeds): readonly Route[] {
  return [
    route('POST', '/licenses/activate', 'public', activate),
    route('POST', '/licenses/deactivate', 'public', deactivate),
    route('POST', '/licenses/validate', 'public', validate),
  ]

  async function activate({ body, mode }: Request): Promise<Reply> {
    const named = namedLicense(parse(licenseActivate, body))
    const { customer, product, ...activated } = await activateLicense(needs, mode, named)
    return created(licenseActivateView(activated, customer, product))
  }

  async function deactivate({ body, mode }: Request): Promise<Reply> {
    await deactivateLicense(needs, mode, licensePlace(parse(licenseDeactivate, body)))
    return noContent
  }

  async function validate({ body, mode }: Request): Promise<Reply> {
    const asked = maybePlace(parse(licenseValidate, body))
    const valid = await validateLicense(needs, mode, asked)
    return ok({ valid })
  }
}
