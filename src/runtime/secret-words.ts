import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as a word: of a link that works once, or of a cookie. */
export const newSecretWord = (): string => randomBytes(32).toString('base64url')

/** Whether the text can be one that was made here. */
export const mayBeSecretWord = (text: string): boolean => /^[\w-]{43}$/.test(text)

/**
 * What is stored of it. A plain hash is enough, because nobody can try out 2^256 words; and it must
 * be found by it.
 */
export const hashOfSecretWord = (text: string): Uint8Array =>
  createHash('sha256').update(text, 'utf8').digest()
