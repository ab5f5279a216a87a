import { AwsClient } from 'aws4fetch'
import { pauseFor } from '../../../runtime/pause.ts'
import type { S3Settings } from '../../files-settings.ts'

/** What is asked of a storage. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT'
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Blob
  /** SHA-256 of the body, hexadecimal: the storage refuses another one. */
  readonly digest?: string
}

export type S3Client = (request: S3Request) => Promise<Response>

const attemptsMax = 3
const attemptMs = 120_000
const pauseMs = 200

/** Of nothing. */
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Signs and sends requests, again where the storage fails: each of them may be repeated, because an
 * object's name says what is in it. Throws what the network throws.
 */
export function s3Client(settings: S3Settings): S3Client {
  const { accessKeyId, secretAccessKey, sessionToken, region } = settings
  const aws = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === null ? {} : { sessionToken }),
    region,
    service: 's3',
    retries: 0,
  })
  const base = `${settings.endpoint}/${settings.bucket}/${settings.prefix}`
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(request).catch((error: unknown) => error as Error)
      const isAnswer = answer instanceof Response
      if (isAnswer && answer.status < 500 && answer.status !== 429) return answer
      if (attempt === attemptsMax) {
        if (isAnswer) return answer
        throw answer
      }
      if (isAnswer) await answer.body?.cancel()
      await pauseFor(pauseMs * attempt)
    }
  }

  function send({ method, name, headers, body, digest }: S3Request): Promise<Response> {
    return aws.fetch(`${base}${name}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': digest ?? emptyDigest },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(attemptMs),
      // An address that was signed for one host is worth nothing at another.
      redirect: 'manual',
    })
  }
}
