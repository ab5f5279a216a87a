import { Fault } from '../../faults.ts'
import type { Request } from './route.ts'

const none: Pick<Request, 'query' | 'queried'> = { query: () => null, queried: () => [] }

/** Reads the query at its first use; of repeated values the last one counts. */
export function queries(query: string): Pick<Request, 'query' | 'queried'> {
  if (query === '') return none
  let parsed: URLSearchParams | null = null
  return { query: last, queried: () => [...read().keys()] }

  function last(name: string): string | null {
    const value = read().getAll(name).at(-1) ?? null
    if (value?.includes('\0') === true) {
      throw new Fault('INVALID_QUERY_PARAMS', `${name} must not hold U+0000.`)
    }
    return value
  }

  function read(): URLSearchParams {
    parsed ??= new URLSearchParams(query)
    return parsed
  }
}
