// @node-rs/argon2: Argon2id from the RustCrypto crates, hashing on threads of its own; the most
// used one of those that need no install script.
import { hash, verify } from '@node-rs/argon2'

/**
 * Argon2id (the package's choice where none is named) at what OWASP advises: 19 MiB, two passes, one
 * lane.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What is kept of a password: its salt and costs are in it. Never on the calling thread. */
export const hashOfPassword = (password: string): Promise<string> =>
  hash(password.normalize('NFKC'), cost)

/** Whether this is the password. It takes as long where it is not. */
export const isPassword = (kept: string, password: string): Promise<boolean> =>
  verify(kept, password.normalize('NFKC'))
