import { checkCode } from '../errors.ts'
import type { WireRequest } from './request.ts'

/** Names the mechanism of the messages that follow. */
export function saslHandshakeRequest(mechanism: string): WireRequest<void> {
  return {
    name: 'SaslHandshake',
    key: 17,
    version: 1,
    encode: (writer) => void writer.text(mechanism),
    decode: (reader) => checkCode(reader.int16()),
  }
}

export interface SaslAnswer {
  /** 0, or the broker's error. */
  readonly code: number
  /** Why the broker refuses; null where it does not say. */
  readonly message: string | null
  readonly bytes: Buffer
  /** How long the login holds, in ms; 0: as long as the connection. */
  readonly sessionMs: number
}

/** Carries one message of a mechanism. */
export function saslAuthenticateRequest(bytes: Uint8Array): WireRequest<SaslAnswer> {
  return {
    name: 'SaslAuthenticate',
    key: 36,
    version: 1,
    encode: (writer) => void writer.blob(bytes),
    decode(reader) {
      const [code, message] = [reader.int16(), reader.text()]
      return { code, message, bytes: reader.blob() ?? Buffer.alloc(0), sessionMs: reader.int64() }
    },
  }
}
