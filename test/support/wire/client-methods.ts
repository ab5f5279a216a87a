import DodoPayments from 'dodopayments'

/** A method of the public client that sends a request. */
export interface ClientMethod {
  /** For example `creditEntitlements.balances.list`. */
  readonly name: string
  /** What it asks for, ids as `{}`: `GET /credit-entitlements/{}/balances`. */
  readonly route: string
}

/** Stands for every id, so that it can be found again in a path. */
const someId = 'some-id'

/** All methods of the public client that send something, with what they send it to. */
export async function clientMethods(): Promise<readonly ClientMethod[]> {
  let route: string | null = null
  const client = new DodoPayments({
    bearerToken: 'key',
    baseURL: 'http://nowhere.invalid',
    maxRetries: 0,
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname.replaceAll(someId, '{}')
      route = `${(init?.method ?? 'get').toUpperCase()} ${path}`
      return Response.json({})
    },
  })
  const methods: ClientMethod[] = []
  for (const { name, call } of methodsOf(client, '')) {
    route = null
    // What it makes of the empty answer is of no interest here, nor that some send nothing.
    await call().catch(() => null)
    if (route !== null) methods.push({ name, route })
  }
  return methods
}

/** The same of a route that is described, such as `GET /meters/{id}`. */
export const routeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`

interface Callable {
  readonly name: string
  call(): Promise<unknown>
}

/** Methods of a resource and of those below it; each is called with whatever it takes. */
function methodsOf(resource: object, path: string): readonly Callable[] {
  const fields = Object.entries(resource as Readonly<Record<string, unknown>>)
  return fields.flatMap(([key, child]) => {
    if (key.startsWith('_') || !isResource(child)) return []
    const name = path === '' ? key : `${path}.${key}`
    const own = Object.getOwnPropertyNames(Object.getPrototypeOf(child))
    const callable = own.flatMap((method) => {
      const work: unknown = (child as unknown as Readonly<Record<string, unknown>>)[method]
      if (method === 'constructor' || typeof work !== 'function') return []
      const call = async () => work.apply(child, argumentsOf(work))
      return [{ name: `${name}.${method}`, call }]
    })
    return [...callable, ...methodsOf(child, name)]
  })
}

const isResource = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && '_client' in value

/** Ids are texts; of a body or a query the client reads only the ids that belong into the path. */
function argumentsOf(work: object): readonly unknown[] {
  const [, list = ''] = /\(([^)]*)\)/.exec(String(work)) ?? []
  const names = list.split(',').map((each) => each.trim().split(/\s*=/)[0] ?? '')
  const ids = new Proxy({}, { get: (_, key) => (typeof key === 'string' ? someId : undefined) })
  return names
    .filter((name) => name !== '' && name !== 'options')
    .map((name) => (/^(body|query|params)$|[{}]/.test(name) ? ids : someId))
}
