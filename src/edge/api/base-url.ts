import type { Request } from '../http/route.ts'

/**
 * The beginning of addresses in answers, up to the path: where the operator named none, the host
 * that the request was sent to. [requests#answers]
 */
export const baseUrlOf = (request: Request, publicUrl: string | null): string =>
  publicUrl ?? `http://${request.header('host') ?? 'localhost'}`
