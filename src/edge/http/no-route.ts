import { Fault } from '../../faults.ts'
import type { Cors } from './cors.ts'
import type { Head } from './head.ts'
import type { Telling } from './problem.ts'
import { problem } from './problem.ts'
import type { Reply } from './route.ts'

interface Unrouted {
  readonly head: Head
  readonly id: string
}

/** The answer where a path has no route for the method: `allow` are those that it has. */
export function noRoute(
  ports: Telling & { readonly cors: Cors | null },
  { head, id }: Unrouted,
  allow: readonly string[],
): Reply {
  const what = `${head.method} ${head.path.slice(0, 200)}`
  if (allow.length === 0) throw new Fault('NOT_FOUND', `There is no route ${what}.`)
  if (head.method === 'OPTIONS') {
    const methods = [...allow, 'OPTIONS'].sort()
    const more = ports.cors?.preflight(head, methods)
    return { status: 204, headers: { Allow: methods.join(', '), ...more } }
  }
  const fault = new Fault(
    'METHOD_NOT_ALLOWED',
    `There is no route ${what}: this path takes ${allow.join(', ')}.`,
  )
  const reply = problem(fault, id, ports)
  return { ...reply, headers: { ...reply.headers, Allow: allow.join(', ') } }
}
