import type {
  EndpointPlace,
  EndpointScope,
  WebhookEndpoints,
} from '../../parts/store/webhook-endpoints.ts'
import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { instantOf } from '../../std/instant.ts'

/** A place in the list and the direction from there: what an `iterator` holds. */
export type Cursor = { readonly after: EndpointPlace | null } | { readonly before: EndpointPlace }

export interface EndpointPage {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly next: string | null
  readonly previous: string | null
}

/** One page, newest first, with the iterators to the next and previous pages. [requests#lists] */
export async function listWebhookEndpoints(
  endpoints: WebhookEndpoints,
  scope: EndpointScope,
  from: { readonly iterator: Cursor; readonly limit: number },
): Promise<EndpointPage> {
  const { iterator, limit } = from
  const back = 'before' in iterator
  // One row more than wanted tells whether there is another page, without a count.
  const rows = await endpoints.page(scope, iterator, limit + 1)
  const more = rows.length > limit
  const page = back && more ? rows.slice(1) : rows.slice(0, limit)
  const hasNext = back || more
  const hasPrevious = back ? more : iterator.after !== null
  const [first, last] = [page[0], page.at(-1)]
  return {
    endpoints: page,
    next: hasNext && last !== undefined ? encode('after', last) : null,
    previous: hasPrevious && first !== undefined ? encode('before', first) : null,
  }
}

const encode = (way: 'after' | 'before', { createdAt, webhookId }: EndpointPlace): string =>
  Buffer.from(`${way}:${createdAt}:${webhookId}`).toString('base64url')

/** Null when the text is no iterator of ours. */
export function parseIterator(text: string): Cursor | null {
  const match = /^(after|before):(\d{1,16}):(\w[\w-]{0,99})$/.exec(
    Buffer.from(text, 'base64url').toString(),
  )
  if (match === null) return null
  const place = { createdAt: instantOf(Number(match[2])), webhookId: match[3] ?? '' }
  return match[1] === 'before' ? { before: place } : { after: place }
}
