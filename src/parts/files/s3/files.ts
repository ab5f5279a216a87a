import { openAsBlob } from 'node:fs'
import { Fault, Refusal } from '../../../faults.ts'
import type { Logger } from '../../../runtime/logger.ts'
import type { S3Settings } from '../../files-settings.ts'
import { dropForgotten, withIncoming } from '../../incoming-file.ts'
import type { ByteRange, Files, KeptFile } from '../port.ts'
import type { S3Client } from './client.ts'
import { s3Client } from './client.ts'

export interface S3FilesNeeds {
  readonly settings: S3Settings
  /** Where an upload waits until its digest is known. */
  readonly incoming: string
  readonly logger: Logger
}

/**
 * Files in an S3-compatible storage, each an object that has its digest for a name behind the
 * prefix. Looks once whether the settings work. [operations#files]
 *
 * @throws Refusal where the storage knows no such bucket or key.
 */
export async function openS3Files({ settings, incoming, logger }: S3FilesNeeds): Promise<Files> {
  const client = s3Client(settings)
  const ask: S3Client = (request) =>
    client(request).catch((error: unknown) => {
      throw away(error)
    })
  await dropForgotten(incoming)
  await refuseWhatCannotWork()
  return { keep, size, read, close: () => Promise.resolve() }

  function keep(content: AsyncIterable<Uint8Array>): Promise<KeptFile> {
    return withIncoming(incoming, content, async ({ path, digest, bytes }) => {
      const body = await openAsBlob(path)
      const answer = await ask({ method: 'PUT', name: digest, body, digest })
      if (!answer.ok) throw await failure('keep', answer)
      await answer.body?.cancel()
      return { digest, bytes }
    })
  }

  async function size(digest: string): Promise<number | null> {
    const answer = await ask({ method: 'HEAD', name: digest })
    if (answer.status === 404) return null
    if (!answer.ok) throw await failure('look at', answer)
    return Number(answer.headers.get('content-length'))
  }

  async function read(
    digest: string,
    range?: ByteRange,
  ): Promise<AsyncIterable<Uint8Array> | null> {
    const headers = range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` }
    const answer = await ask({ method: 'GET', name: digest, headers })
    if (answer.status === 404) {
      await answer.body?.cancel()
      return null
    }
    // A storage that ignores the range would send all of the file in its place.
    if (answer.status !== (range === undefined ? 200 : 206)) throw await failure('read', answer)
    return answer.body ?? nothing()
  }

  /** Only what no waiting mends: a storage that is away is back some time. */
  async function refuseWhatCannotWork(): Promise<void> {
    let answer: Response
    try {
      answer = await client({ method: 'GET', name: 'sluice-was-here' })
    } catch (error) {
      logger.warn({ error }, 'The storage of FILES_URL does not answer: files fail until it does.')
      return
    }
    const code = codeOf(await answer.text())
    const why = hopeless[code]
    if (why === undefined) return
    throw new Refusal(`FILES_URL cannot work: the storage says ${code}, ${why}.`)
  }
}

const hopeless: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID is none of its keys',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not the secret of its key',
  AuthorizationHeaderMalformed: 'the region is another one',
  PermanentRedirect: 'the endpoint or region is another one',
}

const codeOf = (xml: string): string => /<Code>(\w+)<\/Code>/.exec(xml)?.[1] ?? ''

/** A storage that fails is back some time; one that refuses is set up wrongly. */
async function failure(verb: string, answer: Response): Promise<Error> {
  const code = codeOf(await answer.text().catch(() => ''))
  const error = new Error(`The storage did not ${verb} a file: ${answer.status} ${code}.`)
  return answer.status >= 500 || answer.status === 429 ? away(error) : error
}

const away = (cause: unknown): Fault =>
  new Fault('UNAVAILABLE', 'The storage of files cannot be reached just now; try again.', {
    retryAfterSeconds: 1,
    cause,
  })

async function* nothing(): AsyncIterable<Uint8Array> {
  yield* []
}
