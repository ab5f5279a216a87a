import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Texts for addresses that open without a key: what they say can be read by all, and made by nobody
 * else. [security#signed-addresses]
 */
export interface SignedTokens {
  sign(parts: readonly string[]): string

  /** What was signed; null: nothing that was signed here, for this purpose. */
  open(token: string): readonly string[] | null
}

/**
 * `key`: the 32 bytes of SECRETS_KEY. `purpose`: a token that was signed for one is worth nothing
 * for another.
 */
export function openSignedTokens(key: Uint8Array, purpose: string): SignedTokens {
  const own = createHmac('sha256', key).update(`signed token: ${purpose}`).digest()
  return { sign, open }

  function sign(parts: readonly string[]): string {
    const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
    return `${text}.${signature(text)}`
  }

  function open(token: string): readonly string[] | null {
    const [text = '', signed = '', ...more] = token.split('.')
    const [given, right] = [Buffer.from(signed), Buffer.from(signature(text))]
    if (more.length > 0 || given.length !== right.length) return null
    if (!timingSafeEqual(given, right)) return null
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as readonly string[]
  }

  function signature(text: string): string {
    return createHmac('sha256', own).update(text).digest('base64url')
  }
}
