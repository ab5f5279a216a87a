// @node-rs/crc32: CRC-32C by the processor's own instruction, three times as fast as JavaScript.
// Its binaries come prebuilt, for most platforms. This is the only import of it.
import { createRequire } from 'node:module'

/** The CRC-32C of bytes, not negative; null where there is no binary for this platform. */
export const nativeCrc32c = found()

function found(): ((bytes: Uint8Array) => number) | null {
  try {
    const { crc32c } = createRequire(import.meta.url)('@node-rs/crc32') as {
      readonly crc32c: (bytes: Uint8Array) => number
    }
    return crc32c
  } catch {
    return null
  }
}
