import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

/**
 * What the set-up (`src/start-engine.js`) wrote down about the official build of uWebSockets.js
 * that it downloaded.
 */
export interface Brought {
  readonly tag: string
  /** Null where it cannot be loaded. */
  readonly path: string | null
  /** Why it cannot; null where it can. */
  readonly why: string | null
}

/** Null where nothing had to be downloaded, or nothing was tried. */
export function broughtEngine(): Brought | null {
  const { platform, arch, versions } = process
  const file = new URL(`.engine/uws_${platform}_${arch}_${versions.modules}`, root)
  try {
    const stamp: Stamp = JSON.parse(readFileSync(`${file.pathname}.json`, 'utf8'))
    const path = `${file.pathname}.node`
    if (stamp.why !== null) return { tag: stamp.tag, path: null, why: stamp.why }
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
    if (sha256 === stamp.sha256) return { tag: stamp.tag, path, why: null }
    return { tag: stamp.tag, path: null, why: `${path} is not what was fetched: ${sha256}` }
  } catch {
    return null
  }
}

interface Stamp {
  readonly tag: string
  readonly sha256: string
  readonly why: string | null
}

/** The root of the repository, both for the sources and for what is built of them. */
const root =
  ['../../../', '../../../../']
    .map((path) => new URL(path, import.meta.url))
    .find((folder) => existsSync(new URL('package.json', folder))) ?? new URL('./', import.meta.url)
