interface Operation {
  readonly operationId?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

/** What is read of an API's description. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** So many neighbours of the description; which ones, the turn says: any number. */
export interface Some {
  readonly operations: number
  readonly turn: number
}

/** Their ids; none of them: all are meant. */
export function chosenIn({ paths }: Description, some: Some | null): readonly string[] {
  if (some === null) return []
  const ids = Object.values(paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId ?? ''))
    .filter((id) => id !== '' && id !== 'advanceClock')
  const from = (some.turn * some.operations) % ids.length
  return [...ids, ...ids].slice(from, from + Math.min(some.operations, ids.length))
}

/**
 * The operations that name another thing beside the one in their path, in the path or in the body:
 * their 404 may be about the other one.
 */
export const namesAnother = ({ paths }: Description): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ operationId, requestBody }) => {
      const named = path.split('{').length - 1
      const others = /"\w*_ids?":/.test(JSON.stringify(requestBody ?? null))
      return operationId !== undefined && named > 0 && (named > 1 || others) ? [operationId] : []
    }),
  )
