import { Fault, orNotFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
} from '../../operations/webhooks/change-webhook-endpoint.ts'
import { createWebhookEndpoint } from '../../operations/webhooks/create-webhook-endpoint.ts'
import type { WebhookNeeds } from '../../operations/webhooks/fields.ts'
import {
  listWebhookEndpoints,
  parseIterator,
} from '../../operations/webhooks/list-webhook-endpoints.ts'
import { changeWebhookHeaders, visibleHeaders } from '../../operations/webhooks/webhook-headers.ts'
import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import {
  endpointChange,
  headersView,
  headerUpdateSchema,
  secretView,
  toWebhookDetails,
  wantedEndpoint,
  webhookCreateSchema,
  webhookPage,
  webhookUpdateSchema,
} from '../../wire/webhook-endpoint.ts'
import { parse } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'

/** Webhook endpoints of a business and mode. [resources#webhook-endpoints] */
export function webhooks(needs: WebhookNeeds): readonly Route[] {
  const { endpoints, secrets } = needs
  return [
    route('GET', '/webhooks', 'read', list),
    route('POST', '/webhooks', 'write', create),
    route('GET', '/webhooks/:id', 'read', retrieve),
    route('PATCH', '/webhooks/:id', 'write', update),
    route('DELETE', '/webhooks/:id', 'write', remove),
    // With the secret one can sign in our name, so a read-only key must not get it.
    route('GET', '/webhooks/:id/secret', 'write', retrieveSecret),
    route('GET', '/webhooks/:id/headers', 'read', retrieveHeaders),
    route('PATCH', '/webhooks/:id/headers', 'write', updateHeaders),
  ]

  async function list(request: Request): Promise<Reply> {
    const text = request.query('iterator')
    const iterator = text === null || text === '' ? { after: null } : parseIterator(text)
    if (iterator === null) {
      throw new Fault('INVALID_QUERY_PARAMS', 'iterator must be one that a list answered.')
    }
    const page = await listWebhookEndpoints(endpoints, scopeOf(request), {
      iterator,
      limit: limitOf(request),
    })
    return ok(webhookPage(page))
  }

  async function create(request: Request): Promise<Reply> {
    const wanted = wantedEndpoint(parse(webhookCreateSchema, request.body))
    const input = { wanted, at: request.at }
    return ok(toWebhookDetails(await createWebhookEndpoint(needs, scopeOf(request), input)))
  }

  async function retrieve(request: Request): Promise<Reply> {
    return ok(toWebhookDetails(await found(request)))
  }

  async function update(request: Request): Promise<Reply> {
    const change = endpointChange(parse(webhookUpdateSchema, request.body))
    const input = { webhookId: request.param('id'), change, at: request.at }
    return ok(toWebhookDetails(await changeWebhookEndpoint(needs, scopeOf(request), input)))
  }

  async function remove(request: Request): Promise<Reply> {
    const webhookId = request.param('id')
    await deleteWebhookEndpoint(needs, scopeOf(request), { webhookId, at: request.at })
    return noContent
  }

  async function retrieveSecret(request: Request): Promise<Reply> {
    const endpoint = await found(request)
    const secret = secrets.open(endpoint.secret, secretContext(endpoint))
    return ok(secretView(secret))
  }

  async function retrieveHeaders(request: Request): Promise<Reply> {
    return ok(headersView(visibleHeaders(secrets, await found(request))))
  }

  async function updateHeaders(request: Request): Promise<Reply> {
    const { headers } = parse(headerUpdateSchema, request.body)
    const input = { webhookId: request.param('id'), headers, at: request.at }
    await changeWebhookHeaders(needs, scopeOf(request), input)
    return noContent
  }

  async function found(request: Request): Promise<WebhookEndpoint> {
    const webhookId = request.param('id')
    const endpoint = orNotFound(
      await endpoints.find(scopeOf(request), webhookId),
      'webhook',
      webhookId,
    )
    return endpoint
  }
}

const scopeOf = ({ caller }: Request): Pick<WebhookEndpoint, 'businessId' | 'mode'> => ({
  businessId: caller.businessId,
  mode: caller.mode,
})

function limitOf(request: Request): number {
  const text = request.query('limit')
  if (text === null) return limits.pageSizeDefault
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= limits.pageSizeMax) return value
  throw new Fault(
    'INVALID_QUERY_PARAMS',
    `limit must be a whole number from 1 to ${limits.pageSizeMax}.`,
  )
}
