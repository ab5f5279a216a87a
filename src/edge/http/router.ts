import { Fault, notFound } from '../../faults.ts'
import type { Route } from './route.ts'

export interface Match {
  readonly route: Route
  /** Path parameters by name, percent-decoded. */
  readonly params: ReadonlyMap<string, string>
}

/** What a path leads to: a route, or the methods that it allows (none: there is no such path). */
export type Found = Match | { readonly route: null; readonly allow: readonly string[] }

export interface Router {
  /**
   * Finds the route of a path. Literal segments win over parameters. HEAD finds the route of GET.
   * Throws the faults INVALID_REQUEST_PARAMETERS (a broken percent-encoding) and NOT_FOUND (a NUL,
   * which no name contains).
   */
  find(method: string, path: string): Found
}

interface Node {
  readonly children: Map<string, Node>
  parameter: Node | null
  readonly routes: Map<string, Route>
}

const node = (): Node => ({ children: new Map(), parameter: null, routes: new Map() })
const none: ReadonlyMap<string, string> = new Map()

export function router(routes: readonly Route[]): Router {
  const root = node()
  // Most requests are for paths without parameters, which are found by method and path alone.
  const literal = new Map<string, Map<string, Match>>()
  for (const route of routes) {
    plant(root, route)
    if (!route.pattern.includes(':')) {
      const paths = literal.get(route.method) ?? new Map<string, Match>()
      literal.set(route.method, paths.set(route.pattern, { route, params: none }))
    }
  }
  return { find }

  function find(method: string, path: string): Found {
    const sought = method === 'HEAD' ? 'GET' : method
    const quick = literal.get(sought)?.get(path)
    if (quick !== undefined) return quick
    const segments = path.slice(1).split('/').map(decoded)
    const nodes = matching(root, segments, 0)
    for (const { routes } of nodes) {
      const route = routes.get(sought)
      if (route !== undefined) return { route, params: paramsOf(route, segments) }
    }
    // Of all that the path can lead to: /events/ingest is also the path of the event of that id.
    return { route: null, allow: methodsOf(nodes) }
  }
}

function plant(root: Node, route: Route): void {
  let at = root
  for (const segment of route.pattern.slice(1).split('/')) {
    if (segment.startsWith(':')) {
      at.parameter ??= node()
      at = at.parameter
    } else {
      const next = at.children.get(segment) ?? node()
      at.children.set(segment, next)
      at = next
    }
  }
  if (at.routes.has(route.method)) {
    throw new Error(`Two routes answer ${route.method} ${route.pattern}.`)
  }
  at.routes.set(route.method, route)
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  let text: string
  try {
    text = decodeURIComponent(segment)
  } catch {
    throw new Fault(
      'INVALID_REQUEST_PARAMETERS',
      'The path holds a percent sign that does not begin an encoded UTF-8 character.',
    )
  }
  // The store cannot hold a NUL, so no object has one in its id.
  if (text.includes('\0')) throw notFound('resource', text.replaceAll('\0', '\\0').slice(0, 100))
  return text
}

/** Every node that the path can lead to, the most literal first. */
function matching(at: Node, segments: readonly string[], depth: number): readonly Node[] {
  const segment = segments[depth]
  if (segment === undefined) return at.routes.size > 0 ? [at] : []
  const literal = at.children.get(segment)
  const found = literal === undefined ? [] : matching(literal, segments, depth + 1)
  if (at.parameter === null || segment === '') return found
  return [...found, ...matching(at.parameter, segments, depth + 1)]
}

function paramsOf(route: Route, segments: readonly string[]): ReadonlyMap<string, string> {
  const params = new Map<string, string>()
  route.pattern
    .slice(1)
    .split('/')
    .forEach((part, index) => {
      if (part.startsWith(':')) params.set(part.slice(1), segments[index] ?? '')
    })
  return params
}

function methodsOf(nodes: readonly Node[]): readonly string[] {
  const methods = new Set(nodes.flatMap(({ routes }) => [...routes.keys()]))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort()
}
