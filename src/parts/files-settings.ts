/** Where an S3-compatible storage keeps files: plain data that can be sent to another thread. */
export interface FilesSettings {
  readonly bucket: string
  /** What the name of every object begins with: empty, or ends with a slash. */
  readonly prefix: string
  /** The base URL of the storage, without a slash at its end. */
  readonly endpoint: string
  readonly region: string
}

/** What signs the requests. */
export interface FilesAccess {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Null: the key is no temporary one. */
  readonly sessionToken: string | null
}

/** Settings with the credentials for them. */
export type S3Settings = FilesSettings & FilesAccess

const known = new Set(['endpoint', 'region'])

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…`; null where the text is nothing like it. Without
 * an endpoint it is Amazon's of the region. [operations#files]
 */
export function parseFilesUrl(text: string, defaultRegion: string): FilesSettings | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const { host: bucket, protocol, searchParams } = url
  const strange = url.username !== '' || url.password !== '' || url.hash !== ''
  if (protocol !== 's3:' || strange || !isBucket(bucket)) return null
  if ([...searchParams.keys()].some((name) => !known.has(name))) return null
  const region = searchParams.get('region') ?? defaultRegion
  const endpoint = endpointOf(searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  const prefix = decoded(url.pathname.replace(/^\/+|\/+$/g, ''))
  if (endpoint === null || prefix === null || !/^[a-z0-9-]{1,63}$/.test(region)) return null
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region }
}

const isBucket = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(name)

function endpointOf(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin, pathname, search, hash, username } = new URL(text)
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '' || username !== '') return null
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** Letters, digits and what needs no escape in an address: each storage reads that the same way. */
function decoded(prefix: string): string | null {
  return /^[A-Za-z0-9_.\-/]*$/.test(prefix) ? prefix : null
}
