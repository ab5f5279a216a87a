import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server {
  readonly endpoint: string
  /** By `bucket/name`. */
  readonly objects: Map<string, Buffer>
  /** Answers the next requests with this status in place of doing anything. */
  failNext(status: number, times: number): void
  /** How many requests were let in, and how many refused. */
  readonly counts: { taken: number; refused: number }
  stop(): Promise<void>
}

export const s3Key = { accessKeyId: 'AKTEST', secretAccessKey: 'sekret/with+signs' }
export const s3Region = 'eu-test-1'

/** What a process must know to keep its files in a bucket of the server. */
export const s3Environment = ({ endpoint }: Pick<S3Server, 'endpoint'>, bucket: string) => ({
  FILES_URL: `s3://${bucket}/kept?endpoint=${encodeURIComponent(endpoint)}&region=${s3Region}`,
  AWS_ACCESS_KEY_ID: s3Key.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
})

/**
 * A storage that speaks as much of S3 as we use, and believes nothing: it computes each signature
 * (version 4) by itself from the request as it came, compares the body with the digest that was
 * signed, and refuses what is not of its region, day and buckets.
 */
export async function startS3Server(buckets: readonly string[]): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const counts = { taken: 0, refused: 0 }
  const failing = { status: 0, times: 0 }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    counts,
    failNext: (status, times) => void Object.assign(failing, { status, times }),
    stop: () => stop(server),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    if (failing.times > 0) {
      failing.times -= 1
      refuse(response, failing.status, 'SlowDown')
      return
    }
    const why = refusal(request, body)
    if (why !== null) {
      counts.refused += 1
      refuse(response, why === 'NoSuchBucket' ? 404 : 403, why)
      return
    }
    counts.taken += 1
    serve(request, response, body)
  }

  function refusal(request: IncomingMessage, body: Buffer): string | null {
    const problem = unsigned(request, body)
    if (problem !== null) return problem
    const bucket = (request.url ?? '').split('/')[1] ?? ''
    return buckets.includes(bucket) ? null : 'NoSuchBucket'
  }

  function serve(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const name = decodeURIComponent((request.url ?? '').slice(1).split('?')[0] ?? '')
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) {
        refuse(response, 411, 'MissingContentLength')
        return
      }
      objects.set(name, body)
      response.end()
      return
    }
    const found = objects.get(name)
    if (found === undefined) {
      refuse(response, 404, 'NoSuchKey')
      return
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const part =
      range === null ? found : found.subarray(Number(range[1]), Math.min(Number(range[2]) + 1))
    response.statusCode = range === null ? 200 : 206
    response.setHeader('content-length', part.length)
    response.end(request.method === 'HEAD' ? undefined : part)
  }
}

const stop = (server: Server): Promise<void> => {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/xml')
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`)
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** Why a request is not signed as it should be; null: it is. */
function unsigned(request: IncomingMessage, body: Buffer): string | null {
  const credential = 'AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request'
  const form = new RegExp(`^${credential}, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$`)
  const match = form.exec(request.headers.authorization ?? '')
  if (match === null) return 'AccessDenied'
  const [, key, day = '', region, names = '', signature] = match
  if (key !== s3Key.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== s3Region) return 'AuthorizationHeaderMalformed'
  const stamp = String(request.headers['x-amz-date'] ?? '')
  if (!stamp.startsWith(day) || Math.abs(Date.now() - timeOf(stamp)) > 900_000) {
    return 'RequestTimeTooSkewed'
  }
  const signed = names.split(';')
  for (const needed of ['host', 'x-amz-date', 'x-amz-content-sha256']) {
    if (!signed.includes(needed)) return 'AccessDenied'
  }
  const digest = String(request.headers['x-amz-content-sha256'])
  if (digest !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path,
    query,
    ...signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    names,
    digest,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n')
  const dayKey = hmac(`AWS4${s3Key.secretAccessKey}`, day)
  const signing = hmac(hmac(hmac(dayKey, region), 's3'), 'aws4_request')
  return hmac(signing, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

const timeOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
