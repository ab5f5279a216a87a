import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Encrypts what must be shown again but must not lie readable in the store (AES-256-GCM).
 *
 *    1 byte version │ 12 bytes nonce │ 16 bytes tag │ ciphertext
 *
 * `context` says what a value belongs to, and is authenticated with it: a value that is copied from
 * one row into another cannot be opened there. A random nonce is safe for 2^32 values of one key.
 */
export interface Secrets {
  seal(plain: Uint8Array, context: string): Uint8Array

  /**
   * @throws Error when the value was sealed with another key, for another context, or was changed.
   */
  open(sealed: Uint8Array, context: string): Uint8Array
}

const [version, nonceBytes, tagBytes] = [1, 12, 16]
const headBytes = 1 + nonceBytes + tagBytes

/** `key` is 32 bytes: what SECRETS_KEY holds in base64. */
export function openSecrets(key: Uint8Array): Secrets {
  if (key.length !== 32) throw new Error('The secrets key must be 32 bytes long.')
  return { seal, open }

  function seal(plain: Uint8Array, context: string): Uint8Array {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([Uint8Array.of(version), nonce, cipher.getAuthTag(), body])
  }

  function open(sealed: Uint8Array, context: string): Uint8Array {
    if (sealed.length < headBytes || sealed[0] !== version) throw unopened()
    const nonce = sealed.subarray(1, 1 + nonceBytes)
    // Without a fixed length a forger could shorten the tag until it is soon guessed.
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(1 + nonceBytes, headBytes))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()])
    } catch {
      throw unopened()
    }
  }
}

const unopened = (): Error =>
  new Error('A sealed value does not open: SECRETS_KEY is not the key that sealed it.')

/** 32 random bytes for signing. [webhooks#signature] */
export const newSigningSecret = (): Uint8Array => randomBytes(32)
