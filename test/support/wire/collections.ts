import type { AnswerBody, Call } from '../edge/call.ts'
import type { ScratchCatalog } from '../store/catalog-routes.ts'
import { base, oneTime } from './products.ts'

export interface Group {
  readonly group_id: string
  readonly group_name: string | null
  readonly status: boolean
  readonly products: readonly AnswerBody[]
}

export const groupsOf = (body: AnswerBody) => body['groups'] as readonly Group[]

export const codeOf = async (answering: ReturnType<Call>) => {
  const { status, body } = await answering
  return [status, body.code]
}

/** A business, and what makes products and collections in it. */
export async function openCollections(catalog: ScratchCatalog) {
  const { id, call } = await catalog.business()
  const product = async (body: object = {}) =>
    (await call('POST /products', { ...base, price: oneTime, ...body })).body.product_id
  const create = (groups: readonly object[], body: object = {}) =>
    call('POST /product-collections', { name: 'Plans', groups, ...body })
  const holding = (...ids: readonly string[]) => ({
    products: ids.map((product_id) => ({ product_id })),
  })
  const read = async (collection: string) =>
    (await call(`GET /product-collections/${collection}`)).body
  return { id, call, product, create, holding, read }
}
