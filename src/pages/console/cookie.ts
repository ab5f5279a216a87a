import type { Request } from '../../edge/http/route.ts'

type Headers = Pick<Request, 'header'>

const plain = 'sluice_console'
/** Browsers take a cookie of such a name only by TLS, for this host alone, from this host. */
const guarded = `__Host-${plain}`

/** The word of the cookie that the browser sent; null: there is none. [security#the-console] */
export function cookieWord(request: Headers, publicUrl: string | null): string | null {
  const cookies = cookiesOf(request.header('cookie') ?? '')
  const word = cookies.get(guarded)
  // Over TLS a cookie without the guard may have been planted by somebody in between.
  if (word !== undefined || isGuarded(request, publicUrl)) return word ?? null
  return cookies.get(plain) ?? null
}

/** Of a name that comes twice the first counts. */
function cookiesOf(header: string): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim())
  }
  return cookies
}

/** `Set-Cookie` of a session's word; null takes the cookie back. */
export function setCookie(
  request: Headers,
  publicUrl: string | null,
  of: { readonly word: string | null; readonly seconds: number },
): string {
  const isTls = isGuarded(request, publicUrl)
  const age = of.word === null ? 0 : of.seconds
  const where = isTls ? 'Path=/; Secure' : 'Path=/console'
  const name = isTls ? guarded : plain
  return `${name}=${of.word ?? ''}; ${where}; Max-Age=${age}; HttpOnly; SameSite=Strict`
}

/**
 * Whether the browser came by TLS: the proxy that ended it says so, or the browser, or the
 * operator. Who says so falsely only keeps their own browser from sending its cookie back.
 */
const isGuarded = ({ header }: Headers, publicUrl: string | null): boolean =>
  header('x-forwarded-proto') === 'https' ||
  header('origin')?.startsWith('https://') === true ||
  publicUrl?.startsWith('https://') === true
